export * from "./bulk.ts";
export * from "./dialect.ts";
export * from "./errors.ts";
export * from "./lists.ts";
export * from "./prune.ts";
export * from "./queries.ts";
export * from "./table.ts";
export * from "./unit-of-work.ts";
