import { readFileSync } from "node:fs";
import path from "node:path";
import type { Environment } from "./environment.ts";

export interface Located {
  /** The path for messages. */
  readonly file: string;
  readonly text: string;
}
export interface NotLocated {
  readonly what: string;
  readonly instead: string;
  readonly file: string;
}

export interface Lookup {
  /** The value of `--config`. */
  readonly file?: string | undefined;
  readonly env: Environment;
  readonly cwd: string;
  /** The second folder of the lookup. */
  readonly systemDirectory: string;
}

const fileName = "config.yaml";

/** Finds the configuration file: `--config`, `ROLLCALL_CONFIG`, the working directory, then /config. Files are never merged. */
export function locateConfig(lookup: Lookup): Located | NotLocated {
  const chosen = lookup.file ?? (lookup.env["ROLLCALL_CONFIG"] || undefined);
  if (chosen !== undefined) {
    const text = readText(path.resolve(lookup.cwd, chosen));
    const by = lookup.file === undefined ? "ROLLCALL_CONFIG" : "--config";
    return typeof text === "string"
      ? { file: chosen, text }
      : {
          file: chosen,
          what: `the file ${chosen} named by ${by} ${text.reason}`,
          instead: "write the path of a readable file",
        };
  }
  const here = path.join(lookup.cwd, fileName);
  const there = path.join(lookup.systemDirectory, fileName);
  for (const [file, shown] of [
    [here, fileName],
    [there, there],
  ] as const) {
    const text = readText(file);
    if (typeof text === "string") return { file: shown, text };
    if (!text.isMissing)
      return {
        file: shown,
        what: `the file ${shown} ${text.reason}`,
        instead: "make it readable for this user",
      };
  }
  return {
    file: fileName,
    what: `no configuration file: neither ${here} nor ${there} exists`,
    instead: "run rollcall init, or name a file with --config FILE or ROLLCALL_CONFIG",
  };
}

function readText(file: string): string | { reason: string; isMissing: boolean } {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    const reason = isMissing ? "does not exist" : code === "EISDIR" ? "is a directory" : `cannot be read (${code})`;
    return { reason, isMissing };
  }
}
