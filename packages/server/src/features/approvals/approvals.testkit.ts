import type { Config } from "#config/index.ts";
import { type ApprovalDefinition, defineApproval, type OperationDefinition } from "#core/contract/index.ts";
import { defineFeature } from "#core/feature.ts";
import type { ApprovalOutcome, ApprovalSteps, Approvals, NewApproval, Tx, Verdict } from "#core/ports/index.ts";
import { testSecrets } from "#testkit/app.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import { syncAccounts } from "#features/accounts/accounts.contract.ts";
import { ownAccount } from "#features/auth/auth.contract.ts";
import { getSettings, putSettings } from "#features/settings/settings.contract.ts";
import {
  type Approval,
  approveRequest,
  expireRequest,
  getApproval,
  listApprovals,
  refuseRequest,
  remindDeciders,
  revokeDelegation,
  createDelegation,
  withdrawRequest,
} from "./approvals.contract.ts";

const system = { kind: "system", name: "test" } as const;
const hour = 3_600_000;

export const trialApproval = defineApproval({
  id: "trialapprovals.leave",
  params: ["n"],
  remindAfterMs: hour,
  expiresAfterMs: 50 * hour,
});
/** Reminds at once, and expires before anybody decides. */
export const quickApproval = defineApproval({ id: "trialapprovals.quick", params: [], remindAfterMs: 1, expiresAfterMs: 1500 });
export const otherApproval = defineApproval({ id: "trialapprovals.other", params: [] });

/** Kinds whose chain a test gives, and what they were called with. */
export class TrialApprovals {
  readonly outcomes: { readonly subject: string; readonly outcome: ApprovalOutcome; readonly reason: string | null }[] = [];
  /** Thrown by the next decision. */
  failure: Error | null = null;
  readonly #steps = new Map<string, ApprovalSteps>();

  readonly feature = defineFeature<Config>({
    name: "trialapprovals",
    about: "",
    needs: [],
    contract: { approvals: [trialApproval, otherApproval, quickApproval] },
    tables: [],
    create: () => ({
      approvalHandlers: [trialApproval, otherApproval, quickApproval].map((approval) => ({
        approval,
        steps: async (_tx: Tx, { subject }: NewApproval) => await Promise.resolve(this.#steps.get(subject) ?? []),
        lock: null,
        decided: async (
          _tx: Tx,
          _actor: unknown,
          { subject }: { subject: string },
          outcome: ApprovalOutcome,
          reason: string | null,
        ) => {
          await Promise.resolve();
          if (this.failure) throw this.failure;
          this.outcomes.push({ subject, outcome, reason });
        },
      })),
    }),
  });

  chain(subject: string, steps: ApprovalSteps): void {
    this.#steps.set(subject, steps);
  }

  of(subject: string): ApprovalOutcome[] {
    return this.outcomes.filter((one) => one.subject === subject).map(({ outcome }) => outcome);
  }
}

/** Requests of features, and what people do with them. */
export class ApprovalDriver {
  readonly #under: AppUnderTest;

  constructor(under: AppUnderTest) {
    this.#under = under;
  }

  async accountId({ cookie }: TestActor): Promise<number> {
    return (await this.#under.app.call(ownAccount, {}, { cookie })).output.account.id;
  }

  async write<T>(work: (tx: Tx, approvals: Approvals) => Promise<T>): Promise<T> {
    const { assembly, container } = this.#under.app.process;
    return await container.db.write("test.approvals", async (tx) => await work(tx, assembly.registry.approvals()));
  }

  /** A request of a person about a subject. */
  async request(
    subject: string,
    requester: TestActor | null,
    more: Partial<NewApproval> = {},
    approval: ApprovalDefinition = trialApproval,
  ): Promise<number | null> {
    const by = requester && {
      accountId: await this.accountId(requester),
      characterId: requester.characterId,
      name: requester.username,
    };
    const wanted = { subject, about: subject, params: { n: 1 }, ...(by ? { requester: by } : {}), ...more };
    return await this.write(async (tx, approvals) => await approvals.request(tx, system, approval, wanted));
  }

  async decideInside(subject: string, verdict: Verdict): Promise<void> {
    const actor = { kind: "cli", user: "test" } as const;
    await this.write(async (tx, approvals) => await approvals.decide(tx, actor, trialApproval, subject, verdict));
  }

  async get({ token }: TestActor, id: number) {
    return await this.#under.app.call(getApproval, { params: { id } }, { token });
  }

  async approve({ token }: TestActor, id: number, version = 1) {
    return await this.#under.app.call(approveRequest, { params: { id }, body: { version } }, { token });
  }

  async refuse({ token }: TestActor, id: number, version = 1, reason = "not now") {
    return await this.#under.app.call(refuseRequest, { params: { id }, body: { version, reason } }, { token });
  }

  async withdraw({ token }: TestActor, id: number) {
    return await this.#under.app.call(withdrawRequest, { params: { id } }, { token });
  }

  async list({ token }: TestActor, list: "waiting" | "own" | "decided" = "waiting"): Promise<Approval[]> {
    return (await this.#under.app.call(listApprovals, { query: { list, limit: 200 } }, { token })).output.items;
  }

  async delegate(by: TestActor, to: TestActor, kinds = [trialApproval.id] as string[]) {
    const now = this.#under.app.process.container.ports.clock.now();
    const body = { citizenId: to.characterId, kinds, from: now, until: now + hour };
    return await this.#under.app.call(createDelegation, { body }, { token: by.token });
  }

  async revoke({ token }: TestActor, id: number) {
    return await this.#under.app.call(revokeDelegation, { params: { id } }, { token });
  }

  /** Runs a worker task of a request now. */
  async run(what: "remind" | "expire", id: number): Promise<void> {
    const { assembly, container } = this.#under.app.process;
    const wanted = what === "remind" ? remindDeciders.id : expireRequest.id;
    const handler = assembly.tasks.find(({ task }) => task.id === wanted);
    if (!handler || !("apply" in handler)) throw new Error(`nothing handles ${wanted}`);
    const task = { id: "test", payload: { id }, dueAt: 0, attempt: 1 };
    await container.db.write("test.task", async (tx) => await handler.apply(tx, task as never));
  }
}

let claims = 0;

/** A config admin, and a request that waits for one. */
async function waitingClaim({ app, world }: AppUnderTest) {
  const admin = await world.actor({ groups: ["admin"] });
  const as = { cookie: admin.cookie };
  const { output } = await app.call(getSettings, {}, as);
  if (!output.settings.auth.confirmGameAdmins) {
    const settings = { ...output.settings, auth: { ...output.settings.auth, confirmGameAdmins: true } };
    await app.call(putSettings, { body: { ...output, settings } }, as);
  }
  const licence = `claims-${(claims += 1)}`;
  await app.call(syncAccounts, { body: { items: [{ licence, groups: ["lead"] }] } }, { token: testSecrets.sync });
  const { items } = (await app.call(listApprovals, { query: { limit: 200 } }, { token: admin.token })).output;
  const found = items.find(({ params }) => params["account"] === licence);
  if (!found) throw new Error("the claim of the game server waits for nobody");
  return { admin, found };
}

function byVersion(operation: OperationDefinition, bodyOf: (turn: string) => object): VersionedOperation {
  return {
    operation,
    async prepare(under) {
      const { admin, found } = await waitingClaim(under);
      const change = (turn: string) => ({ params: { id: found.id }, body: bodyOf(turn) });
      return { as: { token: admin.token }, version: found.version, change };
    },
  };
}

export const versioned: readonly VersionedOperation[] = [
  byVersion(approveRequest, () => ({})),
  byVersion(refuseRequest, (turn) => ({ reason: `not ${turn}` })),
];
