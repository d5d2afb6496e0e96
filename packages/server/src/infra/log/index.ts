export { createLogs, type LogsOptions, type ProgramLogs } from "./logs.ts";
export { installProcessLog, type ProcessLog, type ProcessLogOptions } from "./processLog.ts";
export type { Level, LogSettings } from "./settings.ts";
