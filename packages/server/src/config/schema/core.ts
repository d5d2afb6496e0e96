import { refuse } from "../parsed.ts";
import { textMap } from "./collections.ts";
import { duration, filePath, flag, level, numeric, oneOf, parseLevel, text } from "./kinds.ts";

/** Fewest characters of a secret that guards sessions and tokens. */
export const minimumSecretLength = 24;

export function longEnough(value: string) {
  const length = Array.from(value).length;
  const instead = `write at least ${minimumSecretLength} random characters`;
  return length >= minimumSecretLength ? null : refuse(`has ${length} characters`, instead);
}

const inEffect = true;
const large = 1_000_000;

export const core = {
  mode: oneOf(["debug", "release"], {
    default: "release",
    inEffect,
    meaning:
      "debug writes readable log lines with stacks and statement shapes in errors and lists the routes at start; release writes JSON lines without them. Security is the same in both.",
  }),
  logLevel: level({
    default: "INFO",
    inEffect,
    meaning: "Least severe level that is logged, unless log.levelOverrides says otherwise.",
  }),
  log: {
    logToStderr: flag({
      default: true,
      inEffect,
      meaning: "Log to standard error; false logs to standard output.",
    }),
    logToFile: flag({
      default: false,
      inEffect,
      meaning: "Log to a file instead: nothing goes to standard output or error, except why a start was refused.",
    }),
    file: {
      path: filePath({ default: "rollcall.log", inEffect, meaning: "The log file, when logToFile is on." }),
      rotation: {
        maxSize: numeric(
          { default: 100, inEffect, meaning: "Megabytes after which a new file is begun." },
          { min: 1, max: large },
        ),
        maxBackups: numeric(
          { default: 7, inEffect, meaning: "How many rotated files are kept; 0 is no limit." },
          { min: 0, max: large },
        ),
        maxAge: numeric(
          { default: 14, inEffect, meaning: "Days that rotated files are kept; 0 is no limit." },
          { min: 0, max: large },
        ),
        compress: flag({ default: true, inEffect, meaning: "Compress rotated files with gzip." }),
        rotationInterval: duration({
          default: "24h",
          inEffect,
          meaning: "Age at which a new file is begun; 0 rotates by size only.",
        }),
      },
    },
    levelOverrides: textMap(
      {
        inEffect,
        example: "{kvstore: debug, cron: warn}",
        meaning:
          "Levels of single subsystems, louder or quieter than logLevel: kvstore, locks, cron, perms and the name of any feature.",
      },
      parseLevel,
    ),
  },
  secret: text({
    secret: true,
    inEffect,
    example: '"(at least 24 random characters)"',
    meaning:
      "Encrypts stored secrets such as tokens of external logins; without it they are not stored. Keep it apart from jwt.secret. After a change, rollcall secret rotate --old-file FILE makes what is stored readable again.",
  }),
  ignoreRequirements: flag({
    default: false,
    inEffect,
    meaning: "Start although database or broker cannot be reached, serve what works and keep trying.",
  }),
  jwt: {
    secret: text(
      {
        required: true,
        secret: true,
        inEffect,
        example: '"(at least 24 random characters)"',
        meaning: "Signs user tokens; at least 24 characters. Changing it signs everyone out.",
      },
      longEnough,
    ),
  },
};
