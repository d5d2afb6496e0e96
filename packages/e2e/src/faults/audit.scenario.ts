import { expect } from "vitest";
import { call, person, type Person, sendTo, userToken } from "@rollcall/testkit/api.ts";
import { until } from "@rollcall/testkit/until.ts";
import type { City } from "./ingest.scenario.ts";

interface Settings {
  readonly version: number;
  readonly settings: { readonly display: { readonly locale: string } };
}

const tags = ["de-CH", "en-GB", "de-AT", "en-IE", "fr-BE", "nl-NL"];

/** Changes made one after the other, each answered; the next begins at once. */
async function changeUntilKilled(city: City, admin: Person, kill: (answered: number) => boolean): Promise<number[]> {
  const { body: before } = await call(city.instance.url, "/api/settings", { cookie: admin.cookie });
  let current = before as Settings;
  const answered: number[] = [];
  for (;;) {
    const { version, settings } = current;
    const body = { version, settings: { ...settings, display: { locale: tags[version % tags.length] } } };
    const answer = await call(city.instance.url, "/api/settings", { method: "PUT", body, cookie: admin.cookie });
    expect(answer.status, answer.text).toBe(200);
    current = answer.body as Settings;
    answered.push(current.version);
    if (kill(answered.length)) return answered;
  }
}

/**
 * The server is killed right after an answer, repeatedly: every answered change, batch of game data and
 * view of a profile has one entry, and no entry is without its change.
 */
export async function proveAudit(
  city: City,
  kills: number,
): Promise<{ readonly changes: number; readonly restartMs: readonly number[] }> {
  const admin = await person(city.instance, { username: "auditadmin", groups: "admin" });
  const restartMs: number[] = [];
  const answered: number[] = [];
  for (let at = 0; at < kills; at += 1) {
    answered.push(...(await changeUntilKilled(city, admin, (done) => done > at % 4)));
    restartMs.push(await city.killAndRestart());
    await until(
      "the settings answer",
      async () => (await call(city.instance.url, "/api/settings", { cookie: admin.cookie })).status === 200,
    );
    const versions = city.query("select version from settings_revisions order by version").map(Number);
    const entries = city.query(
      "select id from audit_entries where action = 'settings.change' and result = 'ok' order by id",
    ).length;
    expect(versions, "an answered change is stored").toEqual(expect.arrayContaining(answered));
    expect(entries, "each change has one entry").toBe(versions.length);
  }
  await proveLook(city, admin);
  return { changes: answered.length, restartMs };
}

/** The view of a profile is recorded before it is answered. */
async function proveLook(city: City, admin: Person): Promise<void> {
  const sent = await sendTo(city.instance.url, "users", [
    { identifier: "looked:1", firstName: "Lo", lastName: "Oked", jobs: [{ name: "police", grade: 1 }] },
  ]);
  expect(sent.body).toMatchObject({ rejected: [] });
  const id = Number(city.query("select id from citizens where identifier = 'looked:1'")[0]);
  const token = await userToken(city.instance.url, admin);
  const entered = await call(city.instance.url, "/api/auth/job-admin", { token, body: { reason: "a fault test" } });
  expect(entered.status, entered.text).toBeLessThan(300);
  const look = await call(city.instance.url, `/api/citizens/${id}`, { token: await userToken(city.instance.url, admin) });
  expect(look.status, look.text).toBe(200);
  await city.killAndRestart();
  expect(
    city.query(`select target_id, admin_reason from audit_entries where action = 'citizens.view' and object_id = '${id}'`),
  ).toEqual([`${id}\ta fault test`]);
}
