import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { dialectOf, queries } from "#core/db/index.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import {
  adminPowerApproval,
  confirmAdmin,
  deleteAccount,
  getAccount,
  restoreAccount,
  syncAccounts,
} from "#features/accounts/accounts.contract.ts";
import { listAudit } from "#features/audit/audit.contract.ts";
import { ownAccount } from "#features/auth/auth.contract.ts";
import { getSettings, putSettings } from "#features/settings/settings.contract.ts";
import { type Approval, listDelegations } from "./approvals.contract.ts";
import { ApprovalDriver } from "./approvals.testkit.ts";

/** Tables as far as these tests lock them. */
interface Locked {
  accounts: { id: number };
  approvals_requests: { id: number };
}

describeApps("admin powers that the game server reports, as requests", (get) => {
  const drive = () => new ApprovalDriver(get());
  const send = async (licence: string, groups: string[]) => {
    await get().app.call(syncAccounts, { body: { items: [{ licence, groups }] } }, { token: testSecrets.sync });
  };
  const confirming = async (as: { cookie: string }, confirmGameAdmins: boolean) => {
    const { output } = await get().app.call(getSettings, {}, as);
    const settings = { ...output.settings, auth: { ...output.settings.auth, confirmGameAdmins } };
    expect((await get().app.call(putSettings, { body: { ...output, settings } }, as)).status).toBe(200);
  };
  const chief = async () => {
    const admin = await get().world.actor({ groups: ["admin"] });
    await confirming({ cookie: admin.cookie }, true);
    return { admin, as: { cookie: admin.cookie } };
  };
  const player = async () => {
    const actor = await get().world.actor();
    const account = async () => (await get().app.call(ownAccount, {}, { cookie: actor.cookie })).output.account;
    return { actor, account, id: (await account()).id };
  };
  const waitingOf = async (admin: TestActor, actor: TestActor): Promise<Approval[]> =>
    (await drive().list(admin)).filter(({ params }) => params["account"] === actor.username);

  test("approved on the page, the powers take effect; the account cannot decide or withdraw it", async () => {
    const { app } = get();
    const driver = drive();
    const { admin, as } = await chief();
    const { actor, account, id } = await player();
    await send(actor.licence, ["lead", "other"]);
    const [request] = await waitingOf(admin, actor);
    expect(request).toMatchObject({
      kind: adminPowerApproval.id,
      params: { power: "job", groups: "lead" },
      link: `/panel/accounts/${id}`,
      mayDecide: true,
    });
    expect((await driver.list(actor, "own")).map((one) => one.id)).toEqual([request!.id]);
    expect((await driver.approve(actor, request!.id)).body.code).toBe("approvals.ownRequest");
    expect((await driver.withdraw(actor, request!.id)).body.code).toBe("approvals.notRequester");
    expect((await account()).mayJobAdmin).toBe(false);
    expect((await driver.approve(admin, request!.id)).output.state).toBe("approved");
    expect((await account()).mayJobAdmin).toBe(true);
    expect((await app.call(getAccount, { params: { accountId: id } }, as)).output).toMatchObject({
      admin: "job",
      adminWaiting: null,
    });
    const entries = await app.call(listAudit, { query: { action: "accounts.confirmAdmin" } }, { token: admin.token });
    expect(entries.output.items.filter(({ target }) => target?.id === id).length).toBe(1);
  });

  test("the account is locked before its request, as where the game reports other groups", async () => {
    const { container } = get().app.process;
    const { admin } = await chief();
    const { actor, account, id } = await player();
    await send(actor.licence, ["lead"]);
    const [request] = await waitingOf(admin, actor);
    const repeats = async () => {
      const text = await container.metrics.expose();
      return Number(/^rollcall_database_repeats_total\{reason="deadlock"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await repeats();
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const first = container.db.write("test.reported", async (tx) => {
      const lock = async (table: keyof Locked, row: number) =>
        await dialectOf(tx)
          .lock(queries<Locked>(tx).selectFrom(table).select("id").where("id", "=", row))
          .execute();
      await lock("accounts", id);
      locked();
      // In this time the decision arrives and waits.
      await pause(300);
      await lock("approvals_requests", request!.id);
    });
    await isLocked;
    const decided = drive().approve(admin, request!.id);
    await first;
    expect((await decided).output.state).toBe("approved");
    expect((await account()).mayJobAdmin).toBe(true);
    expect(await repeats()).toBe(before);
  });

  test("refused, the account stays without powers until its groups change; a config admin can still confirm it", async () => {
    const { app } = get();
    const driver = drive();
    const { admin, as } = await chief();
    const { actor, account, id } = await player();
    await send(actor.licence, ["lead"]);
    const [first] = await waitingOf(admin, actor);
    expect((await driver.refuse(admin, first!.id, 1, "not in the team")).output.state).toBe("refused");
    await send(actor.licence, ["lead", "vip"]);
    await confirming(as, true);
    expect(await waitingOf(admin, actor)).toEqual([]);
    expect((await account()).mayJobAdmin).toBe(false);
    await send(actor.licence, ["lead", "admin"]);
    expect((await waitingOf(admin, actor)).map(({ params }) => params["power"])).toEqual(["config"]);
    await send(actor.licence, ["lead"]);
    // What was refused is not asked again, also after other groups were: else alternating would bring it back.
    expect(await waitingOf(admin, actor)).toEqual([]);
    const confirmed = await app.call(confirmAdmin, { params: { accountId: id }, body: { power: "job" } }, as);
    expect(confirmed.output).toMatchObject({ admin: "job", adminWaiting: null });
    expect((await driver.list(admin, "decided")).filter(({ params }) => params["account"] === actor.username)).toMatchObject([
      { state: "approved" },
      { state: "refused" },
    ]);
  });

  test("nobody else gets to decide it, because a token of the game server can take over other accounts", async () => {
    const driver = drive();
    const admin = await get().world.actor({ groups: ["admin"], rights: { "citizens.list": true } });
    const deputy = await get().world.actor();
    const refused = await driver.delegate(admin, deputy, ["accounts.adminPower"]);
    expect(refused.body.code).toBe("approvals.kindUnknown");
    const listed = await get().app.call(listDelegations, {}, { token: admin.token });
    expect(listed.output.kinds).not.toContain("accounts.adminPower");
  });

  test("the panel and the command line decide the request; a request that is gone cannot be approved", async () => {
    const { app } = get();
    const driver = drive();
    const { admin, as } = await chief();
    const [one, two] = [await player(), await player()];
    await send(one.actor.licence, ["lead"]);
    await send(two.actor.licence, ["lead"]);
    const [byPanel] = await waitingOf(admin, one.actor);
    const [byCli] = await waitingOf(admin, two.actor);
    await app.call(confirmAdmin, { params: { accountId: one.id }, body: { power: "job" } }, as);
    const accounts = app.process.assembly.api(accountsApi);
    await accounts.confirmAdmin({ kind: "cli", user: "operator" }, two.actor.licence, "job");
    expect((await driver.get(admin, byPanel!.id)).output).toMatchObject({ state: "approved" });
    expect((await driver.get(admin, byCli!.id)).output.chain[0]?.decision).toMatchObject({ approved: true, name: "operator" });
    const late = await driver.approve(admin, byCli!.id);
    expect([late.status, late.body.code]).toEqual([409, "approvals.stale"]);
  });

  test("it is withdrawn with its cause: the group, the account, the setting; and asked again when that returns", async () => {
    const { app } = get();
    const driver = drive();
    const { admin, as } = await chief();
    const { actor, id } = await player();
    const states: string[] = [];
    const latest = async () => {
      const [request] = await waitingOf(admin, actor);
      return request;
    };
    const note = async (request: Approval | undefined) =>
      states.push((await driver.get(admin, request?.id ?? 0)).output.state ?? "none");
    await send(actor.licence, ["lead"]);
    const first = await latest();
    await send(actor.licence, []);
    await note(first);
    expect(await latest()).toBeUndefined();
    await send(actor.licence, ["lead"]);
    const second = await latest();
    await app.call(deleteAccount, { params: { accountId: id }, body: { reason: "a test" } }, as);
    await note(second);
    await app.call(restoreAccount, { params: { accountId: id } }, as);
    const third = await latest();
    expect(third?.id).toBeGreaterThan(second!.id);
    await confirming(as, false);
    await expect.poll(async () => (await driver.get(admin, third!.id)).output.state).toBe("withdrawn");
    expect(states).toEqual(["withdrawn", "withdrawn"]);
  });

  test("of the page and the panel at once, both end with the powers confirmed once", async () => {
    const { app } = get();
    const driver = drive();
    const { admin, as } = await chief();
    for (let round = 0; round < 3; round += 1) {
      const { actor, account, id } = await player();
      await send(actor.licence, ["lead"]);
      const [request] = await waitingOf(admin, actor);
      const [page, panel] = await Promise.all([
        driver.approve(admin, request!.id),
        app.call(confirmAdmin, { params: { accountId: id }, body: { power: "job" } }, as),
      ]);
      expect([page.status, panel.status].toSorted()).toEqual([200, 409]);
      expect((await account()).mayJobAdmin).toBe(true);
    }
  });
});
