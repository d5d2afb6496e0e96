import type { Actor } from "#core/actor.ts";
import type { Clock, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import { callsChanged } from "./calls.contract.ts";
import { lockFold } from "./calls.fold.repo.ts";
import { endStorm, stormIdleMs, stormWithinMs, touchStorm } from "./calls.storm.contract.ts";
import { type AlertOrigin, isRunning, originsOf, placeKeyOf, stormKey, stormRefOf } from "./calls.storm.policy.ts";
import * as storms from "./calls.storm.repo.ts";
import type { NewCallRow } from "./calls.store.service.ts";

export interface StormAlertsDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tasks: Pick<Tasks, "enqueue">;
  readonly audit: AuditApi;
  readonly postals: Pick<PostalsApi, "nearest">;
}

/** Pages read a storm again once in this time. Milliseconds. */
const shownAfterMs = 1_000;

/** Alerts of the game server on their way into storms, and what time does to these. */
export class StormAlerts {
  readonly #deps: StormAlertsDeps;

  constructor(deps: StormAlertsDeps) {
    this.#deps = deps;
  }

  /** Counts an alert and adds it to the storm that it belongs to; null for one that is a call. */
  async take(tx: Tx, actor: Actor, action: string, alert: NewCallRow): Promise<number | null> {
    const now = this.#deps.clock.now();
    const origins = originsOf(alert);
    const since = now - stormWithinMs;
    // Alerts of one origin take turns, so that each counts the other; the lock of the fold comes behind these.
    for (const { key } of origins) await lockFold(tx, key, now);
    const above = new Set<AlertOrigin>();
    for (const origin of origins) if (await storms.cameSince(tx, origin.key, origin.most, since)) above.add(origin);
    await storms.insertArrivals(
      tx,
      origins.map(({ key }) => key),
      now,
    );
    for (const origin of origins.toReversed()) {
      const running = await storms.runningStorm(tx, stormKey(origin, alert.jobs), since);
      if (running === null && !above.has(origin)) continue;
      const storm = running ?? (await this.#begin(tx, actor, action, { origin, alert, now }));
      await this.#add(tx, storm, alert, above.has(origin) ? now : storm.above_at);
      return storm.id;
    }
    return null;
  }

  /** A storm of these alerts, however many they are, for the demo city; they are of one source and for the same jobs. */
  async fill(tx: Tx, actor: Actor, action: string, alerts: readonly NewCallRow[]): Promise<void> {
    const now = this.#deps.clock.now();
    const [first] = alerts;
    if (first === undefined) return;
    const [origin] = originsOf(first);
    const { id } = await this.#begin(tx, actor, action, { origin: origin!, alert: first, now });
    for (const alert of alerts) await this.#add(tx, (await storms.findStorm(tx, id))!, alert, now);
  }

  /** How often a person called lately and waits for somebody to read it. */
  async countOf(tx: Tx, citizenId: number, since: number, cap: number): Promise<number> {
    return await storms.countWaiting(tx, citizenId, since, cap);
  }

  async touch(tx: Tx, id: number): Promise<void> {
    const storm = await storms.findStorm(tx, id);
    if (storm !== null) await this.changed(tx, id);
  }

  /** Nobody handled it until now, unless further alerts came. */
  async end(tx: Tx, id: number): Promise<void> {
    const storm = await storms.findStorm(tx, id);
    if (storm?.state !== "open") return;
    const now = this.#deps.clock.now();
    const isDone = storm.alerts_left === 0 && !isRunning(storm, now);
    const due = storm.alerts_left === 0 ? storm.above_at + stormWithinMs : storm.last_at + stormIdleMs;
    if (!isDone && due > now) {
      await this.planEnd(tx, id, due);
      return;
    }
    const state = isDone ? "done" : "expired";
    await storms.updateStorm(tx, id, { state, ended_at: now });
    const object = { kind: "calls.storm", id, name: stormRefOf(id) };
    const change = { before: { state: "open" }, after: { state } };
    await this.#deps.audit.record(tx, { kind: "system", name: endStorm.id }, { action: endStorm.id, object, ...change });
    await this.changed(tx, id);
  }

  async planEnd(tx: Tx, id: number, dueAt: number): Promise<void> {
    await this.#deps.tasks.enqueue(tx, endStorm, { payload: { id }, key: `storm-end/${id}`, dueAt });
  }

  /** Dispatchers of its jobs read it again. */
  async changed(tx: Tx, id: number): Promise<void> {
    const { outbox, clock } = this.#deps;
    const jobs = (await storms.stormJobs(tx, [id])).get(id) ?? [];
    await outbox.emit(tx, callsChanged, { key: "calls", version: clock.now(), payload: { jobs, callers: [], setup: false } });
  }

  async #begin(
    tx: Tx,
    actor: Actor,
    action: string,
    { origin, alert, now }: { readonly origin: AlertOrigin; readonly alert: NewCallRow; readonly now: number },
  ): Promise<storms.StormRow> {
    const row = {
      ...{ state: "open", storm_key: stormKey(origin, alert.jobs), source: alert.source, citizen_id: origin.citizenId },
      ...{ began_at: now, last_at: now, above_at: now, touch_at: 0, alerts: 0, alerts_left: 0, places: 0 },
      ...{ ended_at: null, ended_by: null, ended_by_id: null, ended_text: null },
    };
    const id = await storms.insertStorm(tx, row, alert.jobs);
    // Once, as a thousand entries would hide every other one. The alerts themselves are kept with the storm.
    const object = { kind: "calls.storm", id, name: stormRefOf(id) };
    await this.#deps.audit.record(tx, actor, { action, object, info: { jobs: alert.jobs.join(", ") } });
    await this.planEnd(tx, id, now + stormIdleMs);
    return { ...row, id };
  }

  async #add(tx: Tx, storm: storms.StormRow, alert: NewCallRow, aboveAt: number): Promise<void> {
    const { clock, tasks, postals } = this.#deps;
    const { id } = storm;
    const { caller, message, priority, place, type, answers } = alert;
    const now = clock.now();
    const postal = alert.postal ?? (place === null ? null : (postals.nearest(place.x, place.y)?.code ?? null));
    const isNew = await storms.addAlert(
      tx,
      {
        storm_id: id,
        place: placeKeyOf(place, postal),
        call_id: null,
        at: now,
        type_id: type?.id ?? null,
        message,
        priority,
        x: place?.x ?? null,
        y: place?.y ?? null,
        caller: caller === null ? null : caller.anonymous ? "unnamed" : "named",
        citizen_id: caller?.citizenId ?? null,
        // Nothing needs the number of somebody who does not want to be known.
        phone: caller === null || caller.anonymous ? null : caller.phone,
        answers: JSON.stringify({ v: 1, lines: answers }),
      },
      postal,
    );
    const isFirst = storm.alerts === 0;
    const touches = !isFirst && storm.touch_at <= now;
    await storms.updateStorm(tx, id, {
      alerts: storm.alerts + 1,
      alerts_left: storm.alerts_left + 1,
      places: storm.places + (isNew ? 1 : 0),
      last_at: now,
      above_at: aboveAt,
      ...(touches ? { touch_at: now + shownAfterMs } : {}),
    });
    if (isFirst) await this.changed(tx, id);
    if (touches) await tasks.enqueue(tx, touchStorm, { payload: { id }, key: `storm/${id}`, dueAt: now + shownAfterMs });
  }
}
