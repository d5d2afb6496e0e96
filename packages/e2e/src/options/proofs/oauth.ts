import assert from "node:assert/strict";
import path from "node:path";
import { call, person } from "../../kit/api.ts";
import { client, providerSettings, startStandIn, type StandIn } from "../../kit/provider.ts";
import { queryFile } from "../../kit/stored.ts";
import { visitor } from "../../kit/visitor.ts";
import type { Observation, OptionProof, ProofKit, Running } from "../proof.ts";

type Entry = Record<string, unknown>;

interface Stage {
  readonly url: string;
  readonly standIn: StandIn;
  readonly running: Running;
  /** Connects one account to both providers and gives its connections. */
  connect(): Promise<{ readonly first: Entry; readonly second: Entry; readonly cookie: string }>;
}

async function startStage(
  kit: ProofKit,
  entries: (standIn: StandIn, url: string) => readonly Entry[],
  settings: Entry = {},
): Promise<Stage> {
  const standIn = await startStandIn();
  kit.defer(() => standIn.close());
  const place = await kit.place();
  const { url } = place;
  place.set({ "oauth2.providers": entries(standIn, url), ...settings });
  const running = { place, program: await kit.serve(place), url };
  return {
    url,
    standIn,
    running,
    async connect() {
      const { cookie } = await person(place, { username: "connects" });
      for (const name of ["first", "second"]) {
        const end = await visitor(url, cookie).go(name, "?connect=1&return=/account");
        assert.equal(end, `/account?oauth=connected&provider=${name}`);
      }
      const { body } = await call(url, "/api/oauth2/connections", { cookie });
      const [first = {}, second = {}] = body.connections as Entry[];
      return { first, second, cookie };
    },
  };
}

/** One program with two providers, which differ in one field: `first` is set up as usual. */
function field(
  name: string,
  values: readonly [Observation, Observation],
  change: (standIn: StandIn, url: string) => Entry,
  check: (stage: Stage) => Promise<void>,
): OptionProof {
  const [first, second] = values;
  return {
    option: `oauth2.providers[].${name}`,
    first,
    second,
    async run(kit) {
      const entries = (standIn: StandIn, url: string) => [
        providerSettings(standIn, url, "first"),
        { ...providerSettings(standIn, url, "second"), ...change(standIn, url) },
      ];
      await check(await startStage(kit, entries));
    },
  };
}

const see = (value: string, observed: string): Observation => ({ value, observed });

async function shown({ url }: Stage): Promise<readonly [Entry, Entry]> {
  const { body } = await call(url, "/api/oauth2/providers");
  return body.providers as [Entry, Entry];
}

/** The query of each provider's sign-in page. */
async function left({ url }: Stage): Promise<readonly [URL, URL]> {
  return [await visitor(url).leave("first"), await visitor(url).leave("second")];
}

const usualEndpoints = ({ url }: StandIn) => ({
  authURL: `${url}/authorize`,
  tokenURL: `${url}/token`,
  userInfoURL: `${url}/me`,
});

async function pictureOf({ url }: Stage, route: string, cookie = ""): Promise<number> {
  return (await call(url, route, { cookie })).status;
}

const looks: readonly OptionProof[] = [
  field(
    "name",
    [
      see("first", "signs in at /api/oauth2/login/first; /other is told to be no provider"),
      see("other", "signs in at /api/oauth2/login/other"),
    ],
    (standIn, url) => providerSettings(standIn, url, "other"),
    async ({ url }) => {
      assert.equal(await visitor(url).go("first"), "/?oauth=unconnected&provider=first");
      assert.equal(await visitor(url).go("other"), "/?oauth=unconnected&provider=other");
      assert.equal(await visitor(url).arrive("/api/oauth2/login/second"), "/?oauth=unknownProvider&provider=second");
    },
  ),
  field(
    "label",
    [see("not set", "the sign-in page is given the name as text of the button"), see("The forum", "it is given The forum")],
    () => ({ label: "The forum" }),
    async (stage) =>
      assert.deepEqual(
        (await shown(stage)).map(({ label }) => label),
        ["first", "The forum"],
      ),
  ),
  field(
    "homepage",
    [see("not set", "the account page is given no home page"), see("an address", "it is given that address")],
    () => ({ homepage: "https://forum.example.org/start" }),
    async (stage) =>
      assert.deepEqual(
        (await shown(stage)).map(({ homepage }) => homepage),
        [null, "https://forum.example.org/start"],
      ),
  ),
  field(
    "icon",
    [
      see("not set", "there is no picture of the provider"),
      see("an image address", "the picture is fetched by the server and served from its own origin"),
    ],
    ({ url }) => ({ icon: `${url}/pictures/icon.png` }),
    async (stage) => {
      const [first, second] = await shown(stage);
      assert.deepEqual([first["icon"], second["icon"]], [null, "/api/oauth2/providers/second/icon"]);
      assert.equal(await pictureOf(stage, "/api/oauth2/providers/first/icon"), 404);
      assert.equal(await pictureOf(stage, "/api/oauth2/providers/second/icon"), 200);
      assert.ok(stage.standIn.asked.includes("GET /pictures/icon.png"));
    },
  ),
  field(
    "defaultAvatar",
    [see("not set", "a person without a picture is shown without one"), see("an image address", "that picture is shown")],
    ({ url }) => ({ defaultAvatar: `${url}/pictures/nobody.png` }),
    async (stage) => {
      stage.standIn.person = { id: 1 };
      const { first, second, cookie } = await stage.connect();
      assert.equal(first["avatar"], null);
      assert.equal(await pictureOf(stage, String(second["avatar"]), cookie), 200);
      assert.ok(stage.standIn.asked.includes("GET /pictures/nobody.png"));
    },
  ),
];

const requests: readonly OptionProof[] = [
  field(
    "type",
    [
      see("generic", "asks for no scope unless scopes says one"),
      see("chat", "asks for identify, the scope of the chat platform"),
    ],
    () => ({ type: "chat" }),
    async (stage) =>
      assert.deepEqual(
        (await left(stage)).map(({ searchParams }) => searchParams.get("scope")),
        [null, "identify"],
      ),
  ),
  field(
    "redirectURL",
    [
      see("the callback address", "it is sent as redirect_uri"),
      see("another address, with a slash too many", "it is sent byte for byte, and config check warns"),
    ],
    (_standIn, url) => ({ redirectURL: `${url}//api/oauth2/callback/second/` }),
    async (stage) => {
      const sent = (await left(stage)).map(({ searchParams }) => searchParams.get("redirect_uri"));
      assert.deepEqual(sent, [`${stage.url}/api/oauth2/callback/first`, `${stage.url}//api/oauth2/callback/second/`]);
      assert.match(stage.running.program.stderr(), /oauth2\.providers\[1\]\.redirectURL/);
      assert.doesNotMatch(stage.running.program.stderr(), /oauth2\.providers\[0\]\.redirectURL/);
    },
  ),
  field(
    "clientID",
    [see("rollcall", "is sent to the sign-in page as client_id"), see("other-client", "other-client is sent")],
    () => ({ clientID: "other-client" }),
    async (stage) =>
      assert.deepEqual(
        (await left(stage)).map(({ searchParams }) => searchParams.get("client_id")),
        ["rollcall", "other-client"],
      ),
  ),
  field(
    "clientSecret",
    [see("a secret", "the token endpoint is called with it"), see("another secret", "it is called with that one")],
    () => ({ clientSecret: "another-client-secret" }),
    async ({ url, standIn }) => {
      await visitor(url).go("first");
      assert.equal(standIn.client, `rollcall:${client.secret}-first`);
      await visitor(url).go("second");
      assert.equal(standIn.client, "rollcall:another-client-secret");
    },
  ),
  field(
    "scopes",
    [see("not set", "no scope and no nonce is sent"), see("[openid, profile]", "both are asked for, and a nonce goes along")],
    () => ({ scopes: ["openid", "profile"] }),
    async (stage) => {
      const [first, second] = (await left(stage)).map(({ searchParams }) => searchParams);
      assert.deepEqual([first?.get("scope"), first?.get("nonce")], [null, null]);
      assert.equal(second?.get("scope"), "openid profile");
      assert.match(second?.get("nonce") ?? "", /^[\w-]{32}$/);
    },
  ),
  ...(["authURL", "tokenURL", "userInfoURL"] as const).map((endpoint) => {
    const usual = { authURL: "/authorize", tokenURL: "/token", userInfoURL: "/me" }[endpoint];
    const method = endpoint === "tokenURL" ? "POST" : "GET";
    return field(
      `endpoints.${endpoint}`,
      [
        see("an address", "a sign-in goes there"),
        see("another address", "a sign-in goes to that one, its slash at the end kept"),
      ],
      (standIn) => ({ endpoints: { ...usualEndpoints(standIn), [endpoint]: `${standIn.url}${usual}/other/` } }),
      async ({ url, standIn }) => {
        for (const [name, route] of [
          ["first", usual],
          ["second", `${usual}/other/`],
        ] as const) {
          standIn.asked.length = 0;
          assert.equal(await visitor(url).go(name), `/?oauth=unconnected&provider=${name}`);
          assert.deepEqual(
            standIn.asked.filter((line) => line.includes(usual)),
            [`${method} ${route}`],
          );
        }
      },
    );
  }),
];

const mapping: readonly OptionProof[] = [
  field(
    "mapping.id",
    [
      see("id", "a person is known by a number, so another name is the same person"),
      see("account.uuid", "by a text inside another field"),
    ],
    () => ({ mapping: { id: "account.uuid" } }),
    async (stage) => {
      stage.standIn.person = { id: 7, account: { uuid: "first-uuid" } };
      await stage.connect();
      stage.standIn.person = { id: 7, account: { uuid: "second-uuid" } };
      assert.equal(await visitor(stage.url).go("first"), "/");
      assert.equal(await visitor(stage.url).go("second"), "/?oauth=unconnected&provider=second");
    },
  ),
  field(
    "mapping.username",
    [see("name", "the connection shows the name"), see("nick", "it shows the nick")],
    () => ({ mapping: { id: "id", username: "nick" } }),
    async (stage) => {
      const { first, second } = await stage.connect();
      assert.deepEqual([first["username"], second["username"]], ["Mara", "mara_l"]);
    },
  ),
  field(
    "mapping.avatar",
    [see("picture", "the connection shows the picture, served from the own origin"), see("not set", "it shows none")],
    () => ({ mapping: { id: "id" } }),
    async (stage) => {
      const { first, second, cookie } = await stage.connect();
      assert.equal(await pictureOf(stage, String(first["avatar"]), cookie), 200);
      assert.equal(second["avatar"], null);
    },
  ),
];

export const proofs: readonly OptionProof[] = [
  {
    option: "oauth2.providers",
    first: see("[]", "no provider is offered, and its addresses lead back with the words for it"),
    second: see("one provider", "it is offered; a person comes back from it, told that nobody here is connected"),
    async run(kit) {
      const [none, stage] = await Promise.all([
        kit.usual(),
        startStage(kit, (standIn, url) => [providerSettings(standIn, url, "first")]),
      ]);
      assert.deepEqual((await call(none.url, "/api/oauth2/providers")).body.providers, []);
      assert.equal(await visitor(none.url).arrive("/api/oauth2/login/first"), "/?oauth=unknownProvider&provider=first");
      assert.equal((await shown(stage)).length, 1);
      assert.equal(await visitor(stage.url).go("first"), "/?oauth=unconnected&provider=first");
    },
  },
  ...looks,
  ...requests,
  ...mapping,
  {
    option: "secret",
    first: see("not set", "tokens of providers are not stored, and the account is told why"),
    second: see("a secret", "they are stored, and the database file does not hold them"),
    async run(kit) {
      const entries = (standIn: StandIn, url: string) => ["first", "second"].map((name) => providerSettings(standIn, url, name));
      const [without, having] = await Promise.all([
        startStage(kit, entries),
        startStage(kit, entries, { secret: "the-secret-for-what-is-stored" }),
      ]);
      const tokens = "select coalesce(access_token, '') from oauth_connections where provider = 'first'";
      const stored = ({ running }: Stage) => queryFile(path.join(running.place.folder, "data", "rollcall.db"))(tokens);
      assert.equal((await without.connect()).first["tokens"], "noSecret");
      assert.deepEqual(stored(without), [""]);
      assert.equal((await having.connect()).first["tokens"], "stored");
      const [sealed = ""] = stored(having);
      assert.match(sealed, /^v1\.[0-9a-f]{12}\./);
      assert.ok(!sealed.includes(client.token));
    },
  },
];
