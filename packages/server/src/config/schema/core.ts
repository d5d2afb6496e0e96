import { minimumSecretLength } from "#core/secrets.ts";
import { refuse } from "../parsed.ts";
import { textMap } from "./collections.ts";
import { duration, filePath, flag, level, numeric, oneOf, parseLevel, text } from "./kinds.ts";

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
      "debug writes readable log lines with stacks and statement shapes in errors and lists the routes at start; release writes JSON lines without them, and on a terminal short ones for people. Security is the same in both.",
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
      meaning: "Log to a file instead: nothing goes to standard output or error, except the reason of a refused start.",
    }),
    file: {
      path: filePath({ default: "rollcall.log", inEffect, meaning: "The log file, when logToFile is on." }),
      rotation: {
        maxSize: numeric(
          { default: 100, inEffect, meaning: "Size in megabytes after which a new file is started." },
          { min: 1, max: large },
        ),
        maxBackups: numeric(
          { default: 7, inEffect, meaning: "Largest number of rotated files; 0 means no limit." },
          { min: 0, max: large },
        ),
        maxAge: numeric(
          { default: 14, inEffect, meaning: "Days after which rotated files are deleted; 0 means no limit." },
          { min: 0, max: large },
        ),
        compress: flag({ default: true, inEffect, meaning: "Compress rotated files with gzip." }),
        rotationInterval: duration({
          default: "24h",
          inEffect,
          meaning: "Age after which a new file is started; 0 rotates by size only.",
        }),
      },
    },
    levelOverrides: textMap(
      {
        inEffect,
        example: "{kvstore: debug, cron: warn}",
        meaning:
          "Levels of individual subsystems, which override logLevel: kvstore, locks, cron, perms and the name of any feature.",
      },
      parseLevel,
    ),
  },
  secret: text({
    secret: true,
    inEffect,
    example: '"(at least 24 random characters)"',
    meaning:
      "Encrypts stored secrets such as tokens of external logins; without it they are not stored. Keep it apart from jwt.secret. Changing it signs everyone out; rollcall secret rotate --old-file FILE then makes what is stored readable again.",
  }),
  ignoreRequirements: flag({
    default: false,
    inEffect,
    meaning: "Start even if database or broker cannot be reached, serve what works and keep retrying.",
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
