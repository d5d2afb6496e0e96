export { checkPayload } from "./payloads.ts";
export { type Claimed, freeAll } from "./claim.ts";
export { shareDue } from "./due.ts";
export { TaskRunner } from "./runner.ts";
export { TaskQueue } from "./tasks.ts";
