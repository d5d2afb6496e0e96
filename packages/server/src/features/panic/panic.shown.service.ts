import type { Viewer } from "#core/actor.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { Panic } from "./panic.base.contract.ts";
import type { AlarmState, PanicState } from "./panic.machine.ts";
import { abilitiesOf, cancelUntil, follows, isAlarmed, mayView, newestPlace, type PanicStanding } from "./panic.policy.ts";
import * as repo from "./panic.repo.ts";

export interface ShownDeps {
  readonly clock: Clock;
  readonly duty: Pick<DutyApi, "of">;
  readonly jobs: Pick<JobsApi, "labels">;
}

export const standingOf = (row: repo.PanicRow, alarms: readonly repo.AlarmRow[]): PanicStanding => {
  return { citizenId: row.citizen_id, state: row.state, pressedAt: row.pressed_at, alarms };
};

/** Where the person pressed last. */
function pressedPlace({ x, y, postal, place_at: at, last_pressed_at: pressed }: repo.PanicRow): repo.SeenPlace | null {
  return x === null || y === null ? null : { x, y, postal, at: at ?? pressed };
}

/** Where the person was followed to. */
function followedPlace({ seen_x: x, seen_y: y, seen_postal: postal, seen_at: at }: repo.PanicRow): repo.SeenPlace | null {
  return x === null || y === null || at === null ? null : { x, y, postal, at };
}

/** Panics as a viewer sees them. */
export class ShownPanics {
  readonly #deps: ShownDeps;

  constructor(deps: ShownDeps) {
    this.#deps = deps;
  }

  /** The job that the viewer is on duty in; null for none. */
  async dutyOf(tx: Tx, { characterId }: Viewer): Promise<string | null> {
    return (await this.#deps.duty.of(tx, [characterId])).get(characterId)?.job ?? null;
  }

  /** The viewer pressed, is alarmed while it is active, or reads the history of a job that was. */
  async isSeen(tx: Tx, viewer: Viewer, row: repo.PanicRow): Promise<boolean> {
    const panic = standingOf(row, (await repo.alarmsOf(tx, [row.id])).get(row.id) ?? []);
    if (row.citizen_id === viewer.characterId || mayView(viewer, panic)) return true;
    return row.state === "active" && isAlarmed(viewer, await this.dutyOf(tx, viewer), panic);
  }

  /** Of these, those that alarm the viewer or that the viewer pressed. */
  async concerning(tx: Tx, viewer: Viewer, rows: readonly repo.PanicRow[], onDutyIn: string | null): Promise<repo.PanicRow[]> {
    const alarms = await repo.alarmsOf(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.filter((row) => {
      const panic = standingOf(row, alarms.get(row.id) ?? []);
      return row.citizen_id === viewer.characterId || isAlarmed(viewer, onDutyIn, panic);
    });
  }

  async rows(tx: Tx, viewer: Viewer, rows: readonly repo.PanicRow[]): Promise<Panic[]> {
    if (rows.length === 0) return [];
    const now = this.#deps.clock.now();
    const onDutyIn = await this.dutyOf(tx, viewer);
    const alarms = await repo.alarmsOf(
      tx,
      rows.map(({ id }) => id),
    );
    const names = await namesOfCitizens(tx, [...new Set(rows.flatMap(({ citizen_id: citizen }) => citizen ?? []))]);
    const labels = await this.#deps.jobs.labels(tx);
    const jobOf = (name: string) => ({ name, label: labels.label(name) });
    return rows.map((row) => {
      const own = alarms.get(row.id) ?? [];
      const standing = standingOf(row, own);
      const { citizen_id: citizenId } = row;
      const name = citizenId === null ? undefined : names.get(citizenId);
      return {
        id: row.id,
        version: row.version,
        state: row.state as PanicState,
        callId: row.call_id,
        person: citizenId === null || name === undefined ? null : { id: citizenId, name },
        job: jobOf(row.job),
        pressedAt: row.pressed_at,
        presses: row.presses,
        place: row.x === null || row.y === null ? null : { x: row.x, y: row.y },
        postal: row.postal,
        lastSeen: newestPlace(pressedPlace(row), follows(viewer, onDutyIn, standing) ? followedPlace(row) : null),
        placeUntil: row.place_until,
        alarms: own.map(({ job, state, acknowledged_at: at, acknowledged_by: by, repeats }) => ({
          ...{ job: jobOf(job), state: state as AlarmState, at, by, repeats },
        })),
        ended: row.ended_at === null ? null : { at: row.ended_at, by: row.ended_by, note: row.note },
        cancelUntil: cancelUntil(row.pressed_at),
        ...abilitiesOf(viewer, onDutyIn, standing, now),
      };
    });
  }

  async one(tx: Tx, viewer: Viewer, row: repo.PanicRow): Promise<Panic> {
    return (await this.rows(tx, viewer, [row]))[0]!;
  }
}
