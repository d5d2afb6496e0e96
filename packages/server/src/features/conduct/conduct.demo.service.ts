import { days } from "#core/contract/index.ts";
import type { Demo } from "#core/demo.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { type CharacterWithJobs, charactersWithJobs, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { createKind } from "./conduct.contract.ts";
import { type DemoEntry, demoEntries, demoJobs, demoKinds } from "./conduct.demo.policy.ts";
import * as kinds from "./conduct.kinds.repo.ts";
import { columnsOf } from "./conduct.kinds.service.ts";
import type { ReleaseService } from "./conduct.release.service.ts";
import * as repo from "./conduct.repo.ts";
import type { ConductService } from "./conduct.service.ts";
import type { ShownEntries } from "./conduct.shown.service.ts";

export interface ConductDemoDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly shown: ShownEntries;
  readonly service: ConductService;
  readonly releases: ReleaseService;
}

/** From the start, where those of the logins are. */
const looked = 800;

/** Kinds and entries of some people of the demo city. */
export class ConductDemo {
  readonly #deps: ConductDemoDeps;

  constructor(deps: ConductDemoDeps) {
    this.#deps = deps;
  }

  async load(demo: Demo): Promise<number> {
    const identifiers = demo.city.people.slice(0, looked).map(({ identifier }) => identifier);
    return await this.#deps.db.write("conduct.demo", async (tx) => {
      const found = await charactersWithJobs(tx, identifiers);
      const people = identifiers.flatMap((identifier) => found.get(identifier) ?? []);
      let count = 0;
      for (const job of demoJobs) count += await this.#load(tx, demo, job, people);
      return count;
    });
  }

  async #load(tx: Tx, demo: Demo, job: string, people: readonly CharacterWithJobs[]): Promise<number> {
    if ((await kinds.kindsOf(tx, job)).length > 0) return 0;
    const rows = await this.#kinds(tx, demo, job);
    const planned = demoEntries(people, job, this.#deps.shown.today());
    for (const one of planned) await this.#entry(tx, demo, job, one, rows[one.kind]!);
    return planned.length;
  }

  async #kinds(tx: Tx, { actor }: Demo, job: string): Promise<kinds.KindRow[]> {
    for (const [at, content] of demoKinds.entries()) {
      const id = await kinds.insert(tx, { ...columnsOf(content), job, deleted_marker: 0, position: at + 1, version: 1 });
      const object = { kind: "conduct.kind", id, name: content.name };
      await this.#deps.audit.record(tx, actor, { action: createKind.id, object, info: { job }, after: content });
    }
    return await kinds.kindsOf(tx, job);
  }

  async #entry(tx: Tx, { actor }: Demo, job: string, one: DemoEntry, kind: kinds.KindRow): Promise<void> {
    const { clock, service, releases } = this.#deps;
    const at = clock.now() - days(one.written);
    const { citizenId, grade, authorId } = one;
    const content = { points: kind.points, text: one.text, expiresOn: one.expiresOn };
    const draft = await service.store(tx, actor, { job, subject: { id: citizenId, grade }, authorId, kind, content });
    const name = (await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? "";
    const subject = { id: citizenId, grade, name };
    if (one.becomes !== "draft") await releases.store(tx, actor, draft, { kind, subject, thresholds: [] });
    await repo.update(tx, draft.id, {
      created_at: at,
      ...(one.becomes === "draft" ? {} : { released_at: at, over_at: draft.expires_at ?? at }),
      ...(one.acknowledged ? { acknowledged_at: at + days(1) } : {}),
      ...(one.reply === null ? {} : { reply: one.reply, replied_at: at + days(1) }),
      ...(one.becomes === "withdrawn"
        ? {
            state: "withdrawn",
            withdrawn_at: at + days(1),
            over_at: at + days(1),
            withdrawn_by: authorId,
            withdrawn_reason: "It was the radio of somebody else",
          }
        : {}),
    });
  }
}
