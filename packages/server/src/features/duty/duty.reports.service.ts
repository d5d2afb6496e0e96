import type { Actor } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { charactersWithJobs } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import { type DutyResult, SyncDutyItem, syncDuty } from "./duty.contract.ts";
import type { DutyMismatches } from "./duty.mismatches.service.ts";
import {
  freshOf,
  type Items,
  type Known,
  problemOf,
  problemsOf,
  Run,
  timesOf,
  type Unheld,
  unheldOf,
} from "./duty.reports.policy.ts";
import * as repo from "./duty.repo.ts";
import type { StoredPerson } from "./duty.repo.ts";
import type { DutyRulesService } from "./duty.rules.service.ts";
import type { DutySources } from "./duty.sources.service.ts";
import type { DutyStore, PersonKey } from "./duty.store.service.ts";

export interface DutyReportsDeps {
  readonly clock: Clock;
  readonly sync: SyncApi;
  readonly jobs: Pick<JobsApi, "meanings">;
  readonly store: DutyStore;
  readonly sources: DutySources;
  readonly rules: DutyRulesService;
  readonly mismatches: DutyMismatches;
}

interface Body {
  readonly source?: string;
  readonly boot?: string | null;
  readonly items: readonly unknown[];
}

/** What game servers report. */
export class DutyReports {
  readonly #deps: DutyReportsDeps;

  constructor(deps: DutyReportsDeps) {
    this.#deps = deps;
  }

  async sync(call: CallContext, { source = "default", boot = null, items }: Body): Promise<DutyResult> {
    if (items.length === 0) {
      await this.#deps.sources.noteCallAlone({ name: source, boot });
      return { accepted: 0, unchanged: 0, rejected: [], late: 0 };
    }
    const { clock, jobs } = this.#deps;
    let known: Known | null = null;
    let unheld: readonly Unheld[] = [];
    let late = 0;
    const result = await this.#deps.sync.applyBatch<SyncDutyItem, Pick<DutyResult, "late">>(call, {
      kind: "duty",
      action: syncDuty.id,
      schema: SyncDutyItem,
      source,
      items,
      idOf: ({ key }) => key,
      problemOf: (item) => problemOf(item, this.#deps.clock.now()),
      problemsIn: async (tx, valid) => {
        await this.#deps.sources.lock(tx, source);
        known = await readKnown(tx, jobs, source, valid);
        const problems = problemsOf(valid, known, await readPeople(tx, known));
        unheld = unheldOf(valid, problems, known);
        return problems;
      },
      apply: async (tx, valid) => {
        const applied = await this.#apply(tx, { actor: call.actor, source, boot, known: known! }, valid);
        late = applied.late;
        return applied.accepted;
      },
      more: () => ({ late }),
    });
    for (const { citizenId, job } of unheld) this.#deps.mismatches.refused(source, citizenId, job);
    // Nothing was applied, and the source is there all the same.
    if (result.rejected.length === items.length)
      await this.#deps.sources.noteCallAlone({ name: source, boot, events: timesOf(items, clock.now()) });
    return result;
  }

  async #apply(
    tx: Tx,
    { actor, source, boot, known }: Reported,
    items: Items,
  ): Promise<{ readonly accepted: number; readonly late: number }> {
    const { store, sources, rules, clock } = this.#deps;
    const now = clock.now();
    const { characters: all, meanings } = known;
    const fresh = freshOf(items, known);
    const characters = new Map(fresh.map(({ item: { identifier } }) => [identifier, all.get(identifier)!] as const));
    const mates = await matesOf(tx, fresh, characters);
    const keys = [...mates, ...characters.values()];
    const events = timesOf(
      items.map(({ item }) => item),
      now,
    );
    const call = { name: source, boot, events, sendsEvents: true, people: keys };
    const { source: caller, reporter, people } = await sources.noteCall(tx, call);
    const run = new Run(people, reporter, meanings, now);
    for (const { item } of fresh) run.take(item, characters.get(item.identifier)!);
    await repo.insertReports(tx, run.reports);
    await store.propose(tx, run.past);
    await rules.gameReports(tx, actor, run.jobsReported, now);
    await store.save(tx, run.changes(), new Map([[source, caller]]));
    return { accepted: fresh.length, late: run.reports.filter(({ applied }) => applied === 0).length };
  }
}

/** Others of the licences of characters that load, which ends their duty. */
async function matesOf(tx: Tx, items: Items, characters: Known["characters"]): Promise<PersonKey[]> {
  const loaded = items.filter(({ item }) => item.event === "loaded").flatMap(({ item }) => characters.get(item.identifier) ?? []);
  const licences = new Set(loaded.map(({ licence }) => licence).filter((one) => one !== ""));
  return (await repo.onDutyOfLicences(tx, [...licences])).map((id) => ({ id, licence: "" }));
}

interface Reported {
  readonly actor: Actor;
  readonly source: string;
  readonly boot: string | null;
  readonly known: Known;
}

async function readKnown(tx: Tx, jobs: Pick<JobsApi, "meanings">, source: string, items: Items): Promise<Known> {
  const repeated = await repo.reportedKeys(
    tx,
    source,
    items.map(({ id }) => id),
  );
  const characters = await charactersWithJobs(tx, [...new Set(items.map(({ item }) => item.identifier))]);
  return { repeated, characters, meanings: await jobs.meanings(tx) };
}

async function readPeople(tx: Tx, { characters }: Known): Promise<Map<number, StoredPerson>> {
  const stored = await repo.readPeople(
    tx,
    [...characters.values()].map(({ id }) => id),
  );
  return new Map(stored.map((one) => [one.citizenId, one]));
}
