import type { Viewer } from "#core/actor.ts";
import { type InputOf, mostCounted, type OutputOf } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import { idCursor, keysetPage } from "#core/paging.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import { callsErrors } from "./calls.base.contract.ts";
import { pointOf } from "./calls.policy.ts";
import * as repo from "./calls.repo.ts";
import type { ShownCalls } from "./calls.shown.service.ts";
import type { StormAlerts } from "./calls.storm.alerts.service.ts";
import {
  dismissStorm,
  type listStormAlerts,
  type listStorms,
  mostStormPlaces,
  mostStorms,
  openStorm,
  type Storm,
  type StormAlert,
  type StormDetail,
  stormWithinMs,
} from "./calls.storm.contract.ts";
import { isRunning, stormRefOf } from "./calls.storm.policy.ts";
import * as storms from "./calls.storm.repo.ts";
import type { CallsStore, NewCallRow } from "./calls.store.service.ts";
import { typeTagOf, typeOf } from "./calls.types.policy.ts";
import * as types from "./calls.types.repo.ts";

export interface StormsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly store: CallsStore;
  readonly shown: Pick<ShownCalls, "byJob">;
  readonly alerts: Pick<StormAlerts, "changed" | "planEnd">;
}

const usualLimit = 50;

interface Opened {
  readonly storm: storms.StormRow;
  readonly jobs: readonly string[];
}

/** Storms as dispatchers of their jobs handle them. */
export class StormsService {
  readonly #deps: StormsDeps;

  constructor(deps: StormsDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer): Promise<OutputOf<typeof listStorms>> {
    const { db, shown, jobs } = this.#deps;
    return await db.read("calls.storms", async (tx) => {
      const rows = await storms.openStorms(tx, shown.byJob(viewer), mostStorms);
      const ofStorm = await storms.stormJobs(
        tx,
        rows.map(({ id }) => id),
      );
      const labels = await jobs.labels(tx);
      return { items: rows.map((storm) => this.#shown(labels, { storm, jobs: ofStorm.get(storm.id) ?? [] })) };
    });
  }

  async get(viewer: Viewer, id: number): Promise<StormDetail> {
    const { db, jobs } = this.#deps;
    return await db.read("calls.storm", async (tx) => {
      const opened = await this.#opened(tx, viewer, id);
      const places = await storms.stormPlaces(tx, id, mostStormPlaces);
      return {
        ...this.#shown(await jobs.labels(tx), opened),
        byPlace: places.map(({ place, postal, x, y, alerts, alerts_left: left }) => {
          return { key: place, postal, place: pointOf({ x, y }), alerts, left };
        }),
      };
    });
  }

  async alerts(
    viewer: Viewer,
    id: number,
    query: InputOf<typeof listStormAlerts>["query"],
  ): Promise<OutputOf<typeof listStormAlerts>> {
    return await this.#deps.db.read("calls.stormAlerts", async (tx) => {
      const { storm } = await this.#opened(tx, viewer, id);
      const limit = query.limit ?? usualLimit;
      const below = query.cursor === undefined ? null : readCursor(query.cursor).id;
      const place = query.place ?? null;
      const rows = await storms.alertsOfStorm(tx, { stormId: id, place }, below, limit + 1);
      // Counted with each alert: a storm has more than a page could count.
      const count = place === null ? storm.alerts : ((await storms.stormPlace(tx, id, place))?.alerts ?? 0);
      const page = keysetPage({ rows, limit, count: Math.min(count, mostCounted + 1), cursorOf: idCursor });
      return { ...page, items: await this.#shownAlerts(tx, page.items) };
    });
  }

  /** Makes a call of one alert, or one call of all that are left of a place; the first one says what it is about. */
  async open(call: CallContext, id: number, body: InputOf<typeof openStorm>["body"]): Promise<OutputOf<typeof openStorm>> {
    const { db, clock, store, alerts: intake } = this.#deps;
    const { alertId = null, place = null } = body;
    if ((alertId === null) === (place === null)) throw invalid("body", "must name an alert or a place, and not both");
    return await db.write(openStorm.id, async (tx) => {
      const { storm, jobs } = await this.#opened(tx, call.viewer(), id);
      this.#requireOpen(storm);
      const found = await storms.alertsLeft(tx, id, { alertId, place });
      const [first, ...rest] = found;
      if (first === undefined) throw new AppError(callsErrors.stormTaken, { params: { id: stormRefOf(id) } });
      const priority = Math.min(...found.map((one) => one.priority));
      const row = await store.create(tx, call.actor, openStorm.id, { ...(await this.#callOf(tx, storm, jobs, first)), priority });
      await this.#addAll(tx, row.id, rest);
      await repo.update(tx, row.id, { alerts: found.length });
      await storms.becameCall(tx, { stormId: id, place: first.place, ids: found.map((one) => one.id) }, row.id);
      const left = storm.alerts_left - found.length;
      await storms.updateStorm(tx, id, { alerts_left: left });
      if (left === 0) await intake.planEnd(tx, id, Math.max(clock.now(), storm.above_at + stormWithinMs));
      await this.#record(tx, call, openStorm.id, id, { after: { call: row.id, alerts: found.length } });
      await intake.changed(tx, id);
      return { callId: row.id, alerts: found.length };
    });
  }

  async dismiss(call: CallContext, id: number, sent: string): Promise<Storm> {
    const { db, clock, jobs: all, alerts: intake } = this.#deps;
    const reason = sent.trim();
    if (reason === "") throw invalid("body.reason", "must say why");
    return await db.write(dismissStorm.id, async (tx) => {
      const viewer = call.viewer();
      const { storm, jobs } = await this.#opened(tx, viewer, id);
      this.#requireOpen(storm);
      const by = { ended_by: viewer.characterName, ended_by_id: viewer.characterId };
      const values = { state: "dismissed", ended_at: clock.now(), ...by, ended_text: reason };
      await storms.updateStorm(tx, id, values);
      await this.#record(tx, call, dismissStorm.id, id, { before: { state: "open" }, after: { state: "dismissed" } });
      await intake.changed(tx, id);
      return this.#shown(await all.labels(tx), { storm: { ...storm, ...values }, jobs });
    });
  }

  /** Throws for one that there is not, or that is not of the viewer's job. */
  async #opened(tx: Tx, viewer: Viewer, id: number): Promise<Opened> {
    const storm = await storms.findStorm(tx, id);
    const jobs = (await storms.stormJobs(tx, [id])).get(id) ?? [];
    const { job } = this.#deps.shown.byJob(viewer);
    if (storm === null || job === null || !jobs.includes(job)) throw new AppError(callsErrors.stormNotFound);
    return { storm, jobs };
  }

  #requireOpen({ id, state }: storms.StormRow): void {
    if (state !== "open") throw new AppError(callsErrors.stormEnded, { params: { id: stormRefOf(id) } });
  }

  #shown(labels: JobLabels, { storm, jobs }: Opened): Storm {
    const { id, source, places, alerts, alerts_left: left, began_at: beganAt, last_at: lastAlertAt } = storm;
    return {
      ...{ id, source, places, alerts, left, beganAt, lastAlertAt },
      state: storm.state as Storm["state"],
      jobs: jobs.map((name) => ({ name, label: labels.label(name) })),
      running: isRunning(storm, this.#deps.clock.now()),
      ended: storm.ended_at === null ? null : { at: storm.ended_at, by: storm.ended_by, text: storm.ended_text },
      may: storm.state === "open" ? ["open", "dismiss"] : [],
    };
  }

  async #shownAlerts(tx: Tx, rows: readonly storms.StormAlertRow[]): Promise<StormAlert[]> {
    const named = rows.flatMap((row) => (row.caller === "named" && row.citizen_id !== null ? [row.citizen_id] : []));
    const names = await namesOfCitizens(tx, [...new Set(named)]);
    const kinds = await types.typesById(tx, [...new Set(rows.flatMap(({ type_id: type }) => type ?? []))]);
    const person = (id: number | null) => (id !== null && names.has(id) ? { id, name: names.get(id)! } : null);
    return rows.map(({ id, at, message, priority, x, y, place, type_id: typeId, caller, citizen_id, phone, call_id: callId }) => {
      const isNamed = caller === "named";
      return {
        ...{ id, at, message, priority, callId, anonymous: caller === "unnamed" },
        place: pointOf({ x, y }),
        postal: place.startsWith("postal ") ? place.slice("postal ".length) : null,
        type: typeTagOf(typeId === null ? null : kinds.get(typeId)),
        ...(isNamed ? { citizen: person(citizen_id), phone } : { citizen: null, phone: null }),
      };
    });
  }

  async #callOf(tx: Tx, { source }: storms.StormRow, jobs: readonly string[], alert: storms.StormAlertRow): Promise<NewCallRow> {
    const { message, priority, x, y, caller, citizen_id: citizenId, phone } = alert;
    const row = alert.type_id === null ? undefined : (await types.typesById(tx, [alert.type_id])).get(alert.type_id);
    const isNamed = caller === "named" && citizenId !== null;
    const name = isNamed ? ((await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? null) : null;
    return {
      ...{ jobs, message, priority, source, place: pointOf({ x, y }) },
      type: row === undefined ? null : { id: row.id, checklist: typeOf(row).checklist },
      answers: (JSON.parse(alert.answers) as { readonly lines: NewCallRow["answers"] }).lines,
      caller: caller === null ? null : { citizenId, name, anonymous: caller === "unnamed", phone },
    };
  }

  /** The other alerts of a place, each caller once. */
  async #addAll(tx: Tx, callId: number, rest: readonly storms.StormAlertRow[]): Promise<void> {
    const known = new Map<string, number>();
    for (const one of (await repo.callersOf(tx, [callId])).get(callId) ?? [])
      if (one.citizen_id !== null) known.set(`${one.citizen_id} ${one.anonymous}`, one.id);
    const rows: Parameters<typeof storms.insertAlerts>[2][number][] = [];
    for (const { at, message, x, y, caller, citizen_id, phone } of rest) {
      const anonymous = caller === "unnamed" ? 1 : 0;
      const key = `${citizen_id} ${anonymous}`;
      let callerId = citizen_id === null ? undefined : known.get(key);
      if (callerId === undefined && caller !== null) {
        callerId = await repo.insertCaller(tx, { call_id: callId, citizen_id, anonymous, phone, created_at: at });
        if (citizen_id !== null) known.set(key, callerId);
      }
      rows.push({ caller_id: callerId ?? null, at, message, x, y });
    }
    await storms.insertAlerts(tx, callId, rows);
  }

  async #record(
    tx: Tx,
    call: CallContext,
    action: string,
    id: number,
    change: { readonly before?: Record<string, unknown>; readonly after: Record<string, unknown> },
  ): Promise<void> {
    const object = { kind: "calls.storm", id, name: stormRefOf(id) };
    await this.#deps.audit.record(tx, call.actor, { action, object, ...change });
  }
}
