import type { Actor } from "#core/actor.ts";
import type { Approvals, Clock, Tx } from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import { accountsOfLicences } from "#features/accounts/accounts.reads.ts";
import { employmentsOf } from "#features/citizens/citizens.reads.ts";
import type { EndedPeriod } from "#features/duty/duty.reads.ts";
import { correctionApproval, missingApproval } from "./timeclock.contract.ts";
import { insertCorrection } from "./timeclock.corrections.repo.ts";
import { type Interval, intervalOf, secondsOf } from "./timeclock.policy.ts";
import * as repo from "./timeclock.repo.ts";

export interface AskingDeps {
  readonly clock: Clock;
  readonly approvals: () => Approvals;
  readonly zone: Zone;
}

/** What those who decide are asked. */
export interface Asked {
  readonly id: number;
  readonly citizenId: number;
  readonly name: string;
  /** Null for an entry that is missing. */
  readonly old: Interval | null;
  readonly new: Interval;
  readonly reason: string | null;
}

const game: Actor = { kind: "system", name: "timeclock.proposed" };

/** Asks those of higher grades to decide about entries, and takes that back. */
export class AskingService {
  readonly #deps: AskingDeps;

  constructor(deps: AskingDeps) {
    this.#deps = deps;
  }

  async ask(tx: Tx, actor: Actor, one: Asked, more: Pick<Parameters<Approvals["request"]>[3], "requester"> = {}): Promise<void> {
    const { approvals, zone } = this.#deps;
    const { name, old, new: wanted } = one;
    const times = { ...(old === null ? {} : timesOf(zone, "old", old)), ...timesOf(zone, "new", wanted) };
    await approvals().request(tx, actor, old === null ? missingApproval : correctionApproval, {
      subject: String(one.id),
      about: name,
      params: { name, ...times, reason: one.reason ?? "–" },
      link: `/jobs/timeclock?person=${one.citizenId}&span=day&day=${zone.dayOf((old ?? wanted).from)}`,
      ...more,
    });
  }

  /** Nobody is asked any more about these corrections. */
  async withdraw(tx: Tx, actor: Actor, correctionIds: readonly number[]): Promise<void> {
    const missing = await repo.missingAmong(tx, correctionIds);
    for (const id of correctionIds) {
      const approval = missing.has(id) ? missingApproval : correctionApproval;
      await this.#deps.approvals().withdraw(tx, actor, approval, String(id));
    }
  }

  /** What the game reported late, or what overlaps with a counted entry. */
  async propose(tx: Tx, periods: readonly EndedPeriod[]): Promise<void> {
    if (periods.length === 0) return;
    const entries = await repo.entriesOfDuties(
      tx,
      periods.map(({ id }) => id),
    );
    const people = [...new Set(entries.map(({ citizen_id }) => citizen_id))];
    const persons = new Map((await employmentsOf(tx, people)).map((one) => [one.id, one]));
    const licences = [...new Set([...persons.values()].map(({ licence }) => licence))].filter((licence) => licence !== "");
    const accounts = new Map((await accountsOfLicences(tx, licences)).map((one) => [one.licence, one.accountId]));
    for (const entry of entries) {
      const interval = intervalOf(entry);
      const correction = await insertCorrection(tx, {
        ...correctionOf(entry, interval, this.#deps.clock.now()),
        reason: null,
        requested_by: null,
      });
      const person = persons.get(entry.citizen_id);
      const name = person?.name ?? `CIT-${entry.citizen_id}`;
      const accountId = accounts.get(person?.licence ?? "");
      await this.ask(
        tx,
        game,
        { id: correction, citizenId: entry.citizen_id, name, old: interval, new: interval, reason: null },
        {
          // The account never decides about hours of its characters, whichever of them it plays.
          ...(accountId === undefined ? {} : { requester: { accountId, characterId: entry.citizen_id, name } }),
        },
      );
    }
  }
}

type TextZone = Pick<Zone, "iso" | "instantsOf">;

/** Local times to the second where they have any, with what tells times apart that occur twice; how long stands behind the end. */
export function timesOf(zone: TextZone, which: "old" | "new", interval: Interval): Record<string, string> {
  const moment = (end: "From" | "To", instant: number, more: string) => {
    const [day = "", clock = ""] = zone.iso(instant).split("T");
    return { [`${which}${end}Day`]: day, [`${which}${end}`]: `${clockOf(zone, instant, clock)}${more}` };
  };
  return { ...moment("From", interval.from, ""), ...moment("To", interval.to, ` (${lengthText(secondsOf(interval))})`) };
}

function clockOf(zone: TextZone, instant: number, clock: string): string {
  const shown = clock.slice(6, 8) === "00" ? clock.slice(0, 5) : clock.slice(0, 8);
  const isTwice = zone.instantsOf(zone.iso(instant).slice(0, 19)).length > 1;
  return isTwice ? `${shown} (UTC${clock.slice(12).replace("Z", "")})` : shown;
}

const two = (value: number) => String(value).padStart(2, "0");

/** Hours and minutes, with seconds where there are any. */
function lengthText(seconds: number): string {
  const rest = seconds % 60 === 0 ? "" : `:${two(seconds % 60)}`;
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}${rest} h`;
}

/** Local times to the second; pages write the days as their reader does. */
export function timesText(zone: Pick<Zone, "iso">, { from, to }: Interval): string {
  const text = (instant: number) => zone.iso(instant).slice(0, 19).replace("T", " ");
  return `${text(from)} – ${text(to)}`;
}

/** A new correction of an entry that nobody has decided. */
export function correctionOf(
  entry: Pick<repo.EntryRow, "id" | "job" | "citizen_id" | "from_at" | "to_at">,
  wanted: Interval,
  now: number,
) {
  return {
    entry_id: entry.id,
    job: entry.job,
    citizen_id: entry.citizen_id,
    old_from: entry.from_at,
    old_to: entry.to_at,
    new_from: wanted.from,
    new_to: wanted.to,
    state: "requested",
    decided_by: null,
    decided_at: null,
    decision_reason: null,
    version: 1,
    created_at: now,
  };
}
