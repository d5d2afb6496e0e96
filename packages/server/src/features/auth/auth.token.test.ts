import { expect, test } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { UserTokens, userTokenMs } from "./auth.token.service.ts";

const token = { accountId: 1, characterId: 2, sessionId: "the session", rightsEpoch: "e" };

test("the session of a token is known without the database, also after it expired or after a restart; not that of a foreign token", async () => {
  const clock = createTestClock();
  const tokens = new UserTokens("a secret of the tests", clock);
  const { text } = await tokens.sign(token);
  expect([await tokens.verify(text), await tokens.sessionOf(text)]).toEqual([expect.objectContaining(token), "the session"]);
  await clock.advance(userTokenMs);
  const restarted = new UserTokens("a secret of the tests", clock);
  for (const one of [tokens, restarted])
    expect([await one.sessionOf(text), await one.verify(text)]).toEqual(["the session", "expired"]);
  const foreign = new UserTokens("another secret", clock);
  expect([await foreign.sessionOf(text), await foreign.verify(text)]).toEqual([null, "invalid"]);
  expect(await tokens.sessionOf(`${text}x`)).toBeNull();
});
