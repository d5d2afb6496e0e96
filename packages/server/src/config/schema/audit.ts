import { numeric } from "./kinds.ts";

export const audit = {
  retentionDays: numeric(
    { default: 90, inEffect: true, meaning: "Days after which audit entries are deleted." },
    { min: 1, max: 36_500 },
  ),
};
