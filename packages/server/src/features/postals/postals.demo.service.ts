import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Demo } from "#core/demo.ts";
import type { Log } from "#core/ports/index.ts";
import { demoPostals } from "./postals.demo.policy.ts";

export interface PostalsDemoDeps {
  readonly file: { readonly path: string };
  readonly log: Log;
}

/** The postal codes of the demo city, in the file of `postalsFile`: every process of the machine reads it within seconds. */
export class PostalsDemo {
  readonly #deps: PostalsDemoDeps;

  constructor(deps: PostalsDemoDeps) {
    this.#deps = deps;
  }

  /** A file that is there belongs to the operator, or to a demo city that was loaded before. */
  async load({ city }: Pick<Demo, "city">): Promise<number> {
    const { file, log } = this.#deps;
    if (existsSync(file.path)) return 0;
    const postals = demoPostals(city);
    try {
      await mkdir(path.dirname(file.path), { recursive: true });
      await writeFile(file.path, JSON.stringify(postals), { flag: "wx" });
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      log.warn({ file: file.path }, `postalsFile cannot be written (${code}); the demo city has no postal codes`);
      return 0;
    }
    return postals.length;
  }
}
