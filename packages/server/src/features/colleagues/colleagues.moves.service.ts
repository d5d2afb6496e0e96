import type { Viewer } from "#core/actor.ts";
import { days, type GameRequestState, type OutputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import type { Clock, Database, EndedGameRequest, GameRequestOutcome, Ids, Outbox, Tx } from "#core/ports/index.ts";
import { accountsPlaying, lockAccounts } from "#features/accounts/accounts.reads.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { citizenIdentifier, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { GameRequestsApi } from "#features/gamerequests/gamerequests.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { Happened, Doer } from "./colleagues.activity.service.ts";
import {
  colleaguesChanged,
  colleaguesErrors,
  type JobMove,
  jobRequest,
  type listMoves,
  mostOpenMoves,
  mostShownMoves,
  moveDone,
  type MoveKind,
  moveLost,
  moveRefused,
  type MoveRequest,
  requestMove,
} from "./colleagues.contract.ts";
import { highestMoved, kindOf, movesAllowed, requireFinding, requireMove } from "./colleagues.moves.policy.ts";
import * as repo from "./colleagues.moves.repo.ts";
import { peopleOf } from "./colleagues.repo.ts";

export interface JobMovesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly jobs: Pick<JobsApi, "job">;
  readonly requests: GameRequestsApi;
  readonly settings: Pick<SettingsApi, "read">;
  readonly notifications: Pick<NotificationsApi, "notify">;
}

/** What became of a request, without the answer, which says nothing here. */
interface Ending {
  readonly state: GameRequestOutcome["state"];
  readonly reason?: string | null;
}

/** A report of the game within this time is put down to who asked for it. */
const reportedWithinMs = days(1);

/** Asks the game server to change who works in a job and how high; what it does comes back as data of the game. */
export class JobMoves {
  readonly #deps: JobMovesDeps;

  constructor(deps: JobMovesDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer, citizenId: number | undefined): Promise<OutputOf<typeof listMoves>> {
    const { db, jobs, requests, settings } = this.#deps;
    return await db.read("colleagues.moves", async (tx) => {
      const person = citizenId === undefined ? undefined : (await peopleOf(tx, viewer.job, [citizenId])).get(citizenId);
      const may = movesAllowed(viewer, person === undefined ? null : { id: person.citizen_id, grade: person.grade });
      const all = (await jobs.job(tx, viewer.job))?.grades ?? [];
      const grades = may.length === 0 ? [] : all.filter(({ grade }) => grade <= highestMoved(viewer));
      const rows = await repo.askedBy(tx, { job: viewer.job, actorId: viewer.characterId, citizenId }, mostShownMoves);
      const names = await namesOfCitizens(tx, [...new Set(rows.map(({ citizen_id }) => citizen_id))]);
      return {
        on: (await settings.read(tx)).jobs.changesInGame,
        connected: (await requests.servers(tx)).some(({ connected }) => connected),
        grades: grades.map(({ grade, label }) => ({ grade, label })).toSorted((a, b) => a.grade - b.grade),
        may,
        items: rows.map((row) => shownMove(row, names.get(row.citizen_id) ?? null)),
      };
    });
  }

  async request(call: CallContext, wanted: MoveRequest): Promise<JobMove> {
    const { db, audit, clock, ids, requests } = this.#deps;
    const viewer = call.viewer();
    const { citizenId, expectedGrade, grade } = wanted;
    const reason = wanted.reason.trim();
    const kind = kindOf(expectedGrade, grade);
    if (kind === null) throw invalid("body.grade", "must be another grade than the present one");
    return await db.write(requestMove.id, async (tx) => {
      // One person's requests take turns, so that they are counted right.
      await lockAccounts(tx, [viewer.accountId]);
      const { name, identifier } = await this.#subject(tx, viewer, wanted, kind);
      await this.#requireReady(tx, viewer, grade);
      const source = (await requests.servers(tx)).find(({ connected }) => connected)?.source;
      if (source === undefined) throw new AppError(colleaguesErrors.noGameServer);
      const row: repo.MoveRow = {
        id: ids.next(),
        job: viewer.job,
        citizen_id: citizenId,
        kind,
        expected_grade: expectedGrade,
        grade,
        reason,
        actor_id: viewer.characterId,
        actor_name: viewer.characterName,
        request_id: null,
        open_key: `${viewer.job} ${citizenId}`,
        state: "open",
        answer: null,
        asked_at: clock.now(),
        ended_at: null,
        reported_at: null,
      };
      if (!(await repo.insert(tx, row))) throw new AppError(colleaguesErrors.moveOpen, { params: { name } });
      await audit.record(tx, call.actor, {
        action: requestMove.id,
        object: { kind: "citizen", id: citizenId, name },
        before: { grade: expectedGrade },
        after: { grade },
        info: { job: viewer.job, reason },
      });
      await this.#changed(tx, viewer.job);
      const payload = { identifier, job: viewer.job, expectedGrade, grade, reason, by: viewer.characterName };
      await repo.update(tx, row.id, { request_id: await requests.send(tx, call.actor, jobRequest, { payload }) });
      return shownMove(row, name);
    });
  }

  async ended(tx: Tx, { id }: Pick<EndedGameRequest, "id">, outcome: Ending): Promise<void> {
    const { clock, notifications } = this.#deps;
    const row = await repo.ofRequest(tx, id);
    if (row === null) return;
    const answer = outcome.reason ?? null;
    await repo.update(tx, row.id, { state: outcome.state, answer, ended_at: clock.now(), open_key: null });
    const recipients = await accountsPlaying(tx, [row.actor_id]);
    const name = (await namesOfCitizens(tx, [row.citizen_id])).get(row.citizen_id) ?? `CIT-${row.citizen_id}`;
    const link = `/jobs/colleagues/${row.citizen_id}`;
    const shared = { recipients, link, key: `move/${row.id}` };
    if (outcome.state === "done") await notifications.notify(tx, moveDone, { ...shared, params: { name } });
    else if (outcome.state === "refused")
      await notifications.notify(tx, moveRefused, { ...shared, params: { name, reason: answer ?? "–" } });
    else await notifications.notify(tx, moveLost, { ...shared, params: { name } });
    await this.#changed(tx, row.job);
  }

  /** Who asked for what the game reports now, by its place in the list. */
  async doersOf(tx: Tx, happened: readonly Happened[], at: number): Promise<Map<number, Doer>> {
    const open = await repo.lockExpected(tx, [...new Set(happened.map(({ citizenId }) => citizenId))], at - reportedWithinMs);
    const doers = new Map<number, Doer>();
    for (const [place, { citizenId, job, after }] of happened.entries()) {
      const move = open.find((one) => one.citizen_id === citizenId && one.job === job && one.grade === (after.grade ?? null));
      if (move === undefined) continue;
      await repo.update(tx, move.id, { reported_at: at });
      doers.set(place, { viewer: { characterId: move.actor_id, characterName: move.actor_name }, reason: move.reason });
    }
    return doers;
  }

  /** Throws unless the person stands as the viewer says, and may be moved so. */
  async #subject(tx: Tx, viewer: Viewer, { citizenId, expectedGrade, grade }: MoveRequest, kind: MoveKind) {
    if (kind === "hire") requireFinding(viewer);
    const row = (await peopleOf(tx, viewer.job, [citizenId])).get(citizenId);
    const identifier = await citizenIdentifier(tx, citizenId);
    if (kind === "hire" ? identifier === null : row === undefined || identifier === null)
      throw new AppError(kind === "hire" ? colleaguesErrors.citizenUnknown : colleaguesErrors.notFound);
    const name = (await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? `CIT-${citizenId}`;
    requireMove(viewer, kind, row === undefined ? null : { id: citizenId, grade: row.grade, name }, grade);
    if ((row?.grade ?? null) !== expectedGrade)
      throw new AppError(kind === "hire" ? colleaguesErrors.worksAlready : colleaguesErrors.otherGrade, { params: { name } });
    return { name, identifier: identifier ?? "" };
  }

  async #requireReady(tx: Tx, viewer: Viewer, grade: number | null): Promise<void> {
    const { jobs, settings } = this.#deps;
    if (!(await settings.read(tx)).jobs.changesInGame) throw new AppError(colleaguesErrors.movesOff);
    const known = (await jobs.job(tx, viewer.job))?.grades ?? [];
    if (grade !== null && !known.some((one) => one.grade === grade)) throw new AppError(colleaguesErrors.gradeUnknown);
    if ((await repo.countOpen(tx, viewer.characterId)) >= mostOpenMoves)
      throw new AppError(colleaguesErrors.tooManyMoves, { params: { most: mostOpenMoves } });
  }

  async #changed(tx: Tx, job: string): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, colleaguesChanged, { key: "colleagues", version: clock.now(), payload: { jobs: [job], about: [] } });
  }
}

function shownMove(row: repo.MoveRow, name: string | null): JobMove {
  return {
    id: row.id,
    kind: row.kind as MoveKind,
    citizenId: row.citizen_id,
    name,
    expectedGrade: row.expected_grade,
    grade: row.grade,
    reason: row.reason,
    state: row.state as GameRequestState,
    answer: row.answer,
    askedAt: row.asked_at,
    endedAt: row.ended_at,
  };
}
