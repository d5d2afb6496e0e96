export { schema } from "../../../server/src/config/index.ts";
export { type Group, isOption, leavesOf } from "../../../server/src/config/schema/option.ts";
