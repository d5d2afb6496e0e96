import { textList } from "./collections.ts";
import { flag, numeric } from "./kinds.ts";

const inEffect = true;

export const game = {
  startJobGrade: numeric(
    { default: 0, inEffect, meaning: "Number of the lowest grade of every job on the game server." },
    { min: 0, max: 1000 },
  ),
  cleanupRolesForMissingJobs: flag({
    default: false,
    meaning: "Remove the chat roles of jobs that no longer exist.",
  }),
};

export const sync = {
  enabled: flag({
    default: false,
    inEffect,
    meaning: "Accept data from the game server; requires at least one token.",
  }),
  apiTokens: textList({
    default: [],
    secret: true,
    inEffect,
    example: '["(at least 24 random characters)"]',
    meaning:
      "Tokens that the game server and the synchronisation tool may use. Removing one ends its access and invalidates the unused registration and reset tokens that it requested; adding one changes nothing.",
  }),
};
