import { checkStates } from "./current.ts";

checkStates(1);
