import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { callsAskedOrWorked } from "#features/assignments/assignments.reads.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { openCallsOf, waitSecondsOf } from "#features/calls/calls.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { LinksApi, ListedLink } from "#features/links/links.api.ts";
import type { UnitsApi } from "#features/units/units.api.ts";
import {
  createLink,
  linkLifeMs,
  listLinks,
  mostLinks,
  mostWaiting,
  readWallboard,
  revokeLink,
  type Wallboard,
  wallboardErrors,
  type WallboardLink,
  wallboardLink,
} from "./wallboard.contract.ts";
import { countByBase } from "./wallboard.policy.ts";

export interface WallboardDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly audit: AuditApi;
  readonly duty: Pick<DutyApi, "in">;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly links: Pick<LinksApi, "issue" | "list" | "revoke">;
  readonly units: Pick<UnitsApi, "in">;
}

const shownLink = ({ id, label: name, issuedBy: createdBy, createdAt, expiresAt }: ListedLink): WallboardLink => ({
  ...{ id, name, createdBy, createdAt, expiresAt },
});

/** The wallboard of a job, and the links to it. */
export class WallboardService {
  readonly #deps: WallboardDeps;

  constructor(deps: WallboardDeps) {
    this.#deps = deps;
  }

  async read({ subject: job, label: name }: { readonly subject: string; readonly label: string }): Promise<Wallboard> {
    const { db, clock, duty, jobs, units } = this.#deps;
    return await db.read(readWallboard.id, async (tx) => {
      const open = await openCallsOf(tx, job, clock.now());
      const known = await callsAskedOrWorked(
        tx,
        open.map(({ id }) => id),
      );
      const waiting = open.filter(({ id }) => !known.has(id));
      return {
        job: { name: job, label: (await jobs.labels(tx)).label(job) },
        name,
        waiting: waiting.slice(0, mostWaiting),
        waitingCount: waiting.length,
        openCount: open.length,
        waitSeconds: await waitSecondsOf(tx, job),
        units: countByBase(await units.in(tx, [job])),
        onDuty: (await duty.in(tx, [job])).length,
      };
    });
  }

  async list(call: CallContext): Promise<{ items: WallboardLink[] }> {
    const { job } = call.viewer();
    return await this.#deps.db.read(listLinks.id, async (tx) => ({ items: (await this.#links(tx, job)).map(shownLink) }));
  }

  async create(call: CallContext, sent: string): Promise<{ link: WallboardLink; url: string }> {
    const { db, clock, links, audit, publicUrl } = this.#deps;
    const { job } = call.viewer();
    const name = sent.trim();
    if (name === "") throw invalid("body.name", "must not be empty");
    return await db.write(createLink.id, async (tx) => {
      if ((await this.#links(tx, job)).length >= mostLinks)
        throw new AppError(wallboardErrors.full, { params: { most: mostLinks } });
      const issued = { subject: job, label: name, expiresAt: clock.now() + linkLifeMs };
      const { id, secret } = await links.issue(tx, call.actor, wallboardLink, issued);
      await audit.record(tx, call.actor, { action: createLink.id, object: objectOf(id, name), info: { job } });
      const found = (await this.#links(tx, job)).find((one) => one.id === id)!;
      return { link: shownLink(found), url: `${publicUrl.replace(/\/$/, "")}/wallboard#${secret}` };
    });
  }

  async revoke(call: CallContext, id: number): Promise<void> {
    const { db, links, audit } = this.#deps;
    const { job } = call.viewer();
    await db.write(revokeLink.id, async (tx) => {
      const found = (await this.#links(tx, job)).find((one) => one.id === id);
      if (found === undefined) throw new AppError(wallboardErrors.notFound);
      await links.revoke(tx, wallboardLink, [job], [id]);
      await audit.record(tx, call.actor, { action: revokeLink.id, object: objectOf(id, found.label), info: { job } });
    });
  }

  async #links(tx: Tx, job: string): Promise<readonly ListedLink[]> {
    return await this.#deps.links.list(tx, [wallboardLink], job);
  }
}

const objectOf = (id: number, name: string) => ({ kind: "wallboard.link", id, name }) as const;
