import type { FileAnswer, SearchEntry } from "#core/contract/index.ts";
import type { Finding } from "#core/feature.ts";
import type { PostalsApi } from "./postals.api.ts";
import type { Postal } from "./postals.contract.ts";
import type { PostalsFile } from "./postals.file.service.ts";
import type { PostalSet } from "./postals.set.policy.ts";

/** Answers from the list that this process read last. */
export class PostalsService implements PostalsApi {
  readonly #file: PostalsFile;
  #answer: { readonly set: PostalSet; readonly body: string } | null = null;

  constructor(file: PostalsFile) {
    this.#file = file;
  }

  nearest(x: number, y: number): { code: string; distance: number } | null {
    return this.#file.set.nearest(x, y);
  }

  find(code: string): Postal | null {
    return this.#file.set.find(code);
  }

  search(query: string, limit: number): Postal[] {
    return this.#file.set.search(query, limit).map(({ postal }) => postal);
  }

  version(): string {
    return this.#file.set.version;
  }

  /** Browsers ask each time whether theirs is still the newest. */
  list(): FileAnswer {
    const { set } = this.#file;
    if (this.#answer?.set !== set) this.#answer = { set, body: JSON.stringify(set.list) };
    return { type: "application/json; charset=utf-8", body: this.#answer.body, etag: set.version, cacheSeconds: 0 };
  }

  /** For the global search. Postal codes are on signs: everybody may see them. */
  hits(query: string, limit: number): SearchEntry[] {
    return this.#file.set.search(query, limit).map(({ postal: { code }, index, match, score }) => {
      return { id: index + 1, ref: code, title: code, subtitle: null, match, score };
    });
  }

  /** For the doctor, which a command asks without a start. */
  async findings(): Promise<Finding[]> {
    await this.#file.look();
    return this.#file.findings();
  }
}
