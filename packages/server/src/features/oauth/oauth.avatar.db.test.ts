import { beforeEach, expect, test } from "vitest";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import * as contract from "./oauth.contract.ts";
import { uniqueNumber, resetProviders, connectionsOf, forum, providers } from "./oauth.testkit.ts";

/** Requests the avatar of a person whose claims name this picture on the provider's own host. */
function avatarsOf(get: () => AppUnderTest) {
  const { connected } = connectionsOf(get);
  return async (picture: string) => {
    forum.person = { user: { id: `p${uniqueNumber()}`, picture: `${forum.url}/pictures/${picture}` } };
    const actor = await connected();
    const answer = await get().app.call(contract.connectionAvatar, { params: { name: "forum" } }, { cookie: actor.cookie });
    return [answer.status, answer.status === 200 ? answer.headers["content-type"] : answer.body.code];
  };
}

const none = [404, "oauth.imageNotFound"];

describeApps(
  "an avatar from a person's claims, on a private host of the provider",
  (get) => {
    beforeEach(resetProviders);
    const shown = avatarsOf(get);

    test("is not fetched: only the operator can allow private addresses", async () => {
      for (const picture of ["pixel.png", "drawing.svg"]) expect([picture, await shown(picture)]).toEqual([picture, none]);
    });

    test("is not fetched, but the icon that the operator configured there is, also when it is a drawing", async () => {
      for (const name of ["forum", "plain"]) {
        const answer = await get().app.call(contract.providerIcon, { params: { name } });
        expect([name, answer.status, answer.headers["content-type"]]).toEqual([name, 200, "image/webp"]);
      }
    });
  },
  providers,
);

describeApps(
  "an avatar from a person's claims, on an allowed host",
  (get) => {
    beforeEach(resetProviders);
    const shown = avatarsOf(get);

    test("is shown when it is a picture, but not when it is a drawing", async () => {
      expect(await shown("pixel.png")).toEqual([200, "image/webp"]);
      expect(await shown("drawing.svg")).toEqual(none);
    });
  },
  { ...providers, ROLLCALL_IMAGEPROXY_OPTIONS_ALLOWHOSTS: "127.0.0.1" },
);
