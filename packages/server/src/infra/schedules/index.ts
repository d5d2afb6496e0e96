export { createRetentionRunner } from "./retention.ts";
export { ScheduleRunner } from "./runner.ts";
export { createSchedules } from "./schedules.ts";
