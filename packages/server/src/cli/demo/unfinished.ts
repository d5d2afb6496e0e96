import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { starterPaths } from "../starter.ts";

/** A file that is there from the first start until the demo city is complete, also where that start was interrupted. */
export interface UnfinishedDemo {
  readonly file: string;
  exists(): boolean;
  begin(): void;
  end(): void;
}

/** Of the instance with this configuration file, in the data folder that the starter configuration names. */
export function unfinishedDemo(configFile: string): UnfinishedDemo {
  const file = path.join(starterPaths(path.dirname(path.resolve(configFile))).data, "demo-city.unfinished");
  return {
    file,
    exists: () => existsSync(file),
    begin: () => writeFileSync(file, "Rollcall is loading the demo city; the next start completes it.\n", { mode: 0o600 }),
    end: () => rmSync(file, { force: true }),
  };
}
