import { createHash } from "node:crypto";
import type { FileAnswer } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Finding } from "#core/feature.ts";
import type { IconsApi } from "./icons.api.ts";
import { type IconSetInfo, iconsErrors, mostIcons } from "./icons.contract.ts";
import type { IconSource, LocalSets } from "./icons.local.service.ts";
import { candidates, hasIcon } from "./icons.policy.ts";
import { IconServiceAway } from "./icons.proxied.service.ts";

const browserSeconds = 24 * 60 * 60;

export interface IconsDeps {
  /** The sets of `icons.path`; null in proxy mode. */
  readonly local: LocalSets | null;
  readonly source: IconSource;
  readonly folder: string;
}

/** Serves icons, and finds them by name. */
export class IconsService implements IconsApi {
  readonly #deps: IconsDeps;

  constructor(deps: IconsDeps) {
    this.#deps = deps;
  }

  async named(text: string): Promise<string | null> {
    const { local } = this.#deps;
    const prefixes = local === null ? [] : await local.prefixes();
    for (const { prefix, name } of candidates(text, prefixes)) {
      if (local === null) return `${prefix}:${name}`;
      const set = await local.set(prefix);
      if (set && hasIcon(set, name)) return `${prefix}:${name}`;
    }
    return null;
  }

  /** `list`: names of icons, separated by commas. */
  async set(prefix: string, list: string): Promise<FileAnswer> {
    const names = [...new Set(list.split(","))].slice(0, mostIcons);
    const found = await this.#deps.source.icons(prefix, names).catch((error: unknown) => {
      throw error instanceof IconServiceAway ? new AppError(iconsErrors.serviceAway, { cause: error }) : error;
    });
    if (found === null) throw new AppError(iconsErrors.setNotFound, { params: { set: prefix } });
    const body = JSON.stringify(found.answer);
    const type = "application/json; charset=utf-8";
    if (!found.lasting) return { type, body };
    const etag = createHash("sha256").update(body).digest("base64url").slice(0, 22);
    return { type, body, etag, cacheSeconds: browserSeconds, shared: true };
  }

  async sets(): Promise<{ sets: IconSetInfo[] }> {
    return { sets: await this.#deps.source.sets() };
  }

  async search({ query, set, limit }: { query: string; set?: string; limit: number }) {
    return await this.#deps.source.search(query, set ?? null, limit);
  }

  /** For the doctor. */
  async findings(): Promise<readonly Finding[]> {
    const { local, folder } = this.#deps;
    if (local === null) return [];
    try {
      const problems = await local.problems();
      return problems.map(({ file, problem }) => ({ id: "icons.badSet", state: "warning", params: { file, trouble: problem } }));
    } catch (error) {
      return [{ id: "icons.noFolder", state: "warning", params: { folder, reason: (error as Error).message } }];
    }
  }
}
