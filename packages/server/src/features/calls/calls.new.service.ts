import type { Actor, Viewer } from "#core/actor.ts";
import type { InputOf, OutputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { lockAccounts } from "#features/accounts/accounts.reads.ts";
import { citizenNames } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import { callsErrors, callsWithinMs, mostCalls } from "./calls.base.contract.ts";
import { createCall, type listCallable, syncCall, syncCloseCalls } from "./calls.contract.ts";
import { foldAfterMs, foldedInto, foldKey } from "./calls.fold.policy.ts";
import { candidates, lockFold } from "./calls.fold.repo.ts";
import { partsOf } from "./calls.merge.repo.ts";
import { refOf } from "./calls.ref.contract.ts";
import * as repo from "./calls.repo.ts";
import { placeOfPostal } from "./calls.service.ts";
import type { StormAlerts } from "./calls.storm.alerts.service.ts";
import { stormRefOf } from "./calls.storm.policy.ts";
import type { CallsStore, NewCallRow } from "./calls.store.service.ts";
import { typeOf } from "./calls.types.policy.ts";
import * as types from "./calls.types.repo.ts";

export interface NewCallsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels" | "list" | "meanings">;
  readonly postals: Pick<PostalsApi, "find">;
  readonly store: CallsStore;
  readonly alerts: Pick<StormAlerts, "countOf" | "take">;
}

type Sent = InputOf<typeof createCall>["body"];
type SyncSent = InputOf<typeof syncCall>["body"];

const usualPriority = 3;

/** Calls that people and the game server make. */
export class NewCalls {
  readonly #deps: NewCallsDeps;

  constructor(deps: NewCallsDeps) {
    this.#deps = deps;
  }

  /** The own job first. */
  async callable(viewer: Viewer): Promise<OutputOf<typeof listCallable>> {
    const { db, jobs } = this.#deps;
    return await db.read("calls.callable", async (tx) => {
      const open = await this.callableJobs(tx, viewer);
      const labels = await jobs.labels(tx);
      const rows = (await types.typesOf(tx, open)).filter(({ deleted_at: deleted }) => deleted === null);
      const byJob = Map.groupBy(rows, ({ job }) => job);
      return {
        items: open.map((job) => ({
          job,
          label: labels.label(job),
          types: (byJob.get(job) ?? []).map((row) => {
            const { code, name, priority, message, questions } = typeOf(row);
            return { id: row.id, code, name, priority, message, questions };
          }),
        })),
      };
    });
  }

  async create(call: CallContext, sent: Sent): Promise<OutputOf<typeof createCall>> {
    const { db, clock, postals, alerts } = this.#deps;
    const viewer = call.viewer();
    const { characterId: citizenId, characterName: name } = viewer;
    const place = sent.postal == null ? null : placeOfPostal(postals, sent.postal);
    return await db.write(createCall.id, async (tx) => {
      // Two calls of one person take turns, so that each counts the other.
      await lockAccounts(tx, [viewer.accountId]);
      const since = clock.now() - callsWithinMs;
      const made = (await repo.countCallsSince(tx, citizenId, since)) + (await alerts.countOf(tx, citizenId, since, mostCalls));
      if (made >= mostCalls)
        throw new AppError(callsErrors.tooMany, { params: { most: mostCalls, seconds: callsWithinMs / 1000 } });
      const { jobs, type } = await this.#called(tx, viewer, sent);
      const message = sent.message?.trim() || type?.message;
      if (!message) throw new AppError(callsErrors.messageNeeded);
      const { row, folded } = await this.#callFor(tx, call.actor, createCall.id, {
        jobs,
        type: type === null ? null : { id: type.id, checklist: type.checklist },
        message,
        priority: sent.priority ?? type?.priority ?? usualPriority,
        place: place === null ? null : { x: place.x, y: place.y },
        ...(place === null ? {} : { postal: place.postal }),
        answers: sent.answers ?? [],
        source: null,
        caller: { citizenId, name, anonymous: sent.anonymous === true, phone: sent.phone ?? null },
      });
      return { id: row.id, folded };
    });
  }

  /** Of the game server, which may call any job. */
  async sync(call: CallContext, sent: SyncSent): Promise<OutputOf<typeof syncCall>> {
    const { db, jobs, alerts } = this.#deps;
    return await db.write(syncCall.id, async (tx) => {
      const called = [...new Set(sent.jobs)];
      const known = new Set((await jobs.list(tx)).map(({ name }) => name));
      if (called.some((job) => !known.has(job))) throw new AppError(callsErrors.noJob);
      const type = await this.#typeOfCode(tx, called[0]!, sent.type ?? null);
      const place = sent.x == null || sent.y == null ? null : { x: sent.x, y: sent.y };
      const alert: NewCallRow = {
        jobs: called,
        type,
        message: sent.message.trim() || sent.message,
        priority: sent.priority ?? type?.priority ?? usualPriority,
        place,
        answers: sent.answers ?? [],
        source: sent.source ?? null,
        caller: await this.#syncCaller(tx, sent),
      };
      const stormId = await alerts.take(tx, call.actor, syncCall.id, alert);
      const storm = stormId === null ? null : { id: stormId, ref: stormRefOf(stormId) };
      const made = storm === null ? await this.#callFor(tx, call.actor, syncCall.id, alert) : null;
      const answer = {
        id: made?.row.id ?? null,
        ref: made === null ? null : refOf(made.row.id),
        folded: made?.folded ?? true,
        storm,
      };
      await call.keepAnswer(tx, answer);
      return answer;
    });
  }

  async close(call: CallContext, { identifier }: { readonly identifier: string }): Promise<OutputOf<typeof syncCloseCalls>> {
    const { db, store } = this.#deps;
    return await db.write(syncCloseCalls.id, async (tx) => {
      const person = (await citizenNames(tx, [identifier])).get(identifier);
      const rows = await repo.findAll(tx, person === undefined ? [] : await repo.openOf(tx, person.id));
      // Others may have called for the same before the rows were locked, or for what was merged into one of them.
      const open = person === undefined ? [] : await repo.openOf(tx, person.id);
      const parts = await partsOf(tx, open);
      let closed = 0;
      for (const id of open.filter((one) => !parts.has(one))) {
        const row = rows.get(id);
        if (row?.state !== "open" || row.kind === "panic") continue;
        await store.end(tx, call.actor, row, { state: "completed", text: null, action: syncCloseCalls.id });
        closed += 1;
      }
      return { closed };
    });
  }

  /** A new call, or one that others made of the same a moment ago. */
  async #callFor(tx: Tx, actor: Actor, action: string, alert: NewCallRow): Promise<{ row: repo.CallRow; folded: boolean }> {
    const { clock, store } = this.#deps;
    const now = clock.now();
    const key = foldKey(alert.type?.id ?? null, alert.jobs);
    await lockFold(tx, key, now);
    const place = alert.place ?? { x: null, y: null };
    const found = await candidates(tx, key, now - foldAfterMs);
    const into = foldedInto(
      { ...place, citizenId: alert.caller?.citizenId ?? null, anonymous: alert.caller?.anonymous === true },
      found,
    );
    if (into === null) return { row: await store.create(tx, actor, action, alert), folded: false };
    return { row: await store.fold(tx, actor, action, into, alert), folded: true };
  }

  async #syncCaller(tx: Tx, { identifier, anonymous, phone }: SyncSent): Promise<NewCallRow["caller"]> {
    if (identifier == null && phone == null && anonymous !== true) return null;
    const person = identifier == null ? undefined : (await citizenNames(tx, [identifier])).get(identifier);
    return {
      citizenId: person?.id ?? null,
      name: person?.name ?? null,
      anonymous: anonymous === true,
      phone: phone ?? null,
    };
  }

  async #typeOfCode(tx: Tx, job: string, code: string | null) {
    if (code === null) return null;
    const rows = (await types.typesOf(tx, [job])).filter(({ deleted_at: deleted }) => deleted === null);
    const row = rows.find(({ code_key: key }) => key === code.toLowerCase());
    if (row === undefined) throw new AppError(callsErrors.typeNotFound);
    return { ...typeOf(row), id: row.id };
  }

  /** Which jobs get a call of this person, and its type. */
  async #called(tx: Tx, viewer: Viewer, { typeId, jobs: named = [] }: Sent) {
    const open = await this.callableJobs(tx, viewer);
    const row = typeId === null ? undefined : (await types.typesById(tx, [typeId])).get(typeId);
    if (typeId !== null && (row === undefined || row.deleted_at !== null || !open.includes(row.job)))
      throw new AppError(callsErrors.typeNotFound);
    const type = row === undefined ? null : { ...typeOf(row), id: row.id };
    // A job that the type names may have stopped being one that everybody may call.
    const ofType = row === undefined || type === null ? [] : type.jobs.length > 0 ? type.jobs : [row.job];
    const chosen = [...new Set(named.length > 0 ? named : ofType.filter((job) => open.includes(job)))];
    const other = chosen.find((job) => !open.includes(job));
    if (other !== undefined) throw new AppError(callsErrors.notCallable, { params: { job: other } });
    const known = new Set((await this.#deps.jobs.list(tx)).map(({ name }) => name));
    const jobs = chosen.filter((job) => known.has(job));
    if (jobs.length === 0) throw new AppError(callsErrors.noJob);
    return { jobs, type };
  }

  /** The own job, where it is one, and public ones. */
  async callableJobs(tx: Tx, { job }: Pick<Viewer, "job">): Promise<string[]> {
    const live = new Set((await this.#deps.jobs.list(tx)).map(({ name }) => name));
    const open = (await types.publicJobs(tx)).toSorted();
    const own = (await this.#deps.jobs.meanings(tx)).isWork(job) ? [job] : [];
    return [...own, ...open.filter((one) => one !== job)].filter((one) => live.has(one));
  }
}
