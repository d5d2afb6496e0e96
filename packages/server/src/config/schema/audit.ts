import { numeric } from "./kinds.ts";

export const audit = {
  retentionDays: numeric({ default: 90, inEffect: true, meaning: "Days that audit entries are kept." }, { min: 1, max: 36_500 }),
};
