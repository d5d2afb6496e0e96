import { checkStates } from "./current.ts";

checkStates(import.meta.filename);
