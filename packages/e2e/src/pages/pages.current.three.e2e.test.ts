import { checkStates } from "./current.ts";

checkStates(2);
