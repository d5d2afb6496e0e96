export { createRetentionRunner } from "./retention.ts";
export { createScheduleRunner, type ScheduleRunner } from "./runner.ts";
export { createSchedules, type SqlSchedules } from "./schedules.ts";
