import assert from "node:assert/strict";
import path from "node:path";
import { call } from "@rollcall/testkit/api.ts";
import { client, providerSettings, startStandIn, type StandIn } from "@rollcall/testkit/provider.ts";
import { queryFile } from "@rollcall/testkit/stored.ts";
import { visitor } from "@rollcall/testkit/visitor.ts";
import { type Observation, type OptionProof, player, type ProofKit, type Running } from "../proof.ts";

type Entry = Record<string, unknown>;

interface Scene {
  readonly url: string;
  readonly standIn: StandIn;
  readonly running: Running;
  /** The provider that differs from the usual one, `first`, in the field. */
  readonly other: string;
  /** Connects an account of its own to both providers; returns its connections. */
  connect(person?: Entry): Promise<{ readonly first: Entry; readonly second: Entry; readonly cookie: string }>;
}

let people = 0;

/** A person of the provider whom no account is connected with. */
const newPerson = ({ url }: StandIn): Entry => ({
  id: (people += 1),
  name: "Mara",
  nick: "mara_l",
  picture: `${url}/pictures/one.png`,
});

function scene(standIn: StandIn, running: Running, other: string): Scene {
  const { instance, url } = running;
  standIn.person = newPerson(standIn);
  return {
    url,
    standIn,
    running,
    other,
    async connect(someone = newPerson(standIn)) {
      standIn.person = someone;
      const { cookie, password } = await player(instance, `connects-${other}`);
      for (const name of ["first", other]) {
        const end = await visitor(url, cookie).connect(name, password, "/account");
        assert.equal(end, `/account?oauth=connected&provider=${name}`);
      }
      const { body } = await call(url, "/api/oauth2/connections", { cookie });
      const of = (name: string) => (body.connections as Entry[]).find(({ provider }) => provider === name) ?? {};
      return { first: of("first"), second: of(other), cookie };
    },
  };
}

type Change = (standIn: StandIn, url: string, name: string) => Entry;

/** Each field has a provider of its own in one program, which differs from `first` in this field alone. */
const fields: { readonly name: string; readonly change: Change }[] = [];
let sharedScene: Promise<{ readonly standIn: StandIn; readonly running: Running }> | null = null;

async function start(kit: ProofKit, entries: (standIn: StandIn, url: string) => readonly Entry[], settings: Entry = {}) {
  const standIn = await startStandIn();
  kit.defer(() => standIn.close());
  const instance = await kit.instance();
  const { url } = instance;
  instance.set({ "oauth2.providers": entries(standIn, url), ...settings });
  return { standIn, running: { instance, program: await kit.serve(instance), url } };
}

function field(
  name: string,
  values: readonly [Observation, Observation],
  change: Change,
  check: (scene: Scene) => Promise<void>,
  other = `second${fields.length}`,
): OptionProof {
  const [first, second] = values;
  fields.push({ name: other, change });
  return {
    option: `oauth2.providers[].${name}`,
    first,
    second,
    async run(kit) {
      const entries = (standIn: StandIn, url: string) => [
        providerSettings(standIn, url, "first"),
        ...fields.map((one) => ({ ...providerSettings(standIn, url, one.name), ...one.change(standIn, url, one.name) })),
      ];
      // The stub has a private address, from which avatars are fetched only if the operator allows it.
      sharedScene ??= start(kit.forAll, entries, { "imageProxy.options.allowHosts": ["127.0.0.1"] });
      const { standIn, running } = await sharedScene;
      await check(scene(standIn, running, other));
    },
  };
}

const see = (value: string, observed: string): Observation => ({ value, observed });

/** What the sign-in page is given of both providers. */
async function shown({ url, other }: Scene): Promise<readonly [Entry, Entry]> {
  const { body } = await call(url, "/api/oauth2/providers");
  const of = (name: string) => (body.providers as Entry[]).find((provider) => provider["name"] === name) ?? {};
  return [of("first"), of(other)];
}

/** The query of each provider's sign-in page. */
async function left({ url, other }: Scene): Promise<readonly [URL, URL]> {
  return [await visitor(url).leave("first"), await visitor(url).leave(other)];
}

const usualEndpoints = ({ url }: StandIn) => ({
  authURL: `${url}/authorize`,
  tokenURL: `${url}/token`,
  userInfoURL: `${url}/me`,
});

async function pictureOf({ url }: Scene, route: string, cookie = ""): Promise<number> {
  return (await call(url, route, { cookie })).status;
}

const appearance: readonly OptionProof[] = [
  field(
    "name",
    [
      see("first", "signs in at /api/oauth2/login/first; /other is answered as an unknown provider"),
      see("other", "signs in at /api/oauth2/login/other"),
    ],
    (standIn, url) => providerSettings(standIn, url, "other"),
    async ({ url }) => {
      assert.equal(await visitor(url).go("first"), "/?oauth=unconnected&provider=first");
      assert.equal(await visitor(url).go("other"), "/?oauth=unconnected&provider=other");
      assert.equal(await visitor(url).arrive("/api/oauth2/login/second"), "/?oauth=unknownProvider&provider=second");
    },
    "other",
  ),
  field(
    "label",
    [see("not set", "the sign-in page is given the name as text of the button"), see("The forum", "it is given The forum")],
    () => ({ label: "The forum" }),
    async (scene) =>
      assert.deepEqual(
        (await shown(scene)).map(({ label }) => label),
        ["first", "The forum"],
      ),
  ),
  field(
    "homepage",
    [see("not set", "the account page is given no home page"), see("an address", "it is given that address")],
    () => ({ homepage: "https://forum.example.org/start" }),
    async (scene) =>
      assert.deepEqual(
        (await shown(scene)).map(({ homepage }) => homepage),
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
    async (scene) => {
      const [first, second] = await shown(scene);
      assert.deepEqual([first["icon"], second["icon"]], [null, `/api/oauth2/providers/${scene.other}/icon`]);
      assert.equal(await pictureOf(scene, "/api/oauth2/providers/first/icon"), 404);
      assert.equal(await pictureOf(scene, `/api/oauth2/providers/${scene.other}/icon`), 200);
      assert.ok(scene.standIn.asked.includes("GET /pictures/icon.png"));
    },
  ),
  field(
    "defaultAvatar",
    [see("not set", "a person without a picture is shown without one"), see("an image address", "that picture is shown")],
    ({ url }) => ({ defaultAvatar: `${url}/pictures/nobody.png` }),
    async (scene) => {
      const { first, second, cookie } = await scene.connect({ id: (people += 1) });
      assert.equal(first["avatar"], null);
      assert.equal(await pictureOf(scene, String(second["avatar"]), cookie), 200);
      assert.ok(scene.standIn.asked.includes("GET /pictures/nobody.png"));
    },
  ),
];

const requests: readonly OptionProof[] = [
  field(
    "type",
    [
      see("generic", "requests no scope unless scopes lists one"),
      see("chat", "asks for identify, the scope of the chat platform"),
    ],
    () => ({ type: "chat" }),
    async (scene) =>
      assert.deepEqual(
        (await left(scene)).map(({ searchParams }) => searchParams.get("scope")),
        [null, "identify"],
      ),
  ),
  field(
    "redirectURL",
    [
      see("the callback address", "it is sent as redirect_uri"),
      see("another address, with a slash too many", "it is sent byte for byte, and config check warns"),
    ],
    (_standIn, url, name) => ({ redirectURL: `${url}//api/oauth2/callback/${name}/` }),
    async (scene) => {
      const sent = (await left(scene)).map(({ searchParams }) => searchParams.get("redirect_uri"));
      assert.deepEqual(sent, [`${scene.url}/api/oauth2/callback/first`, `${scene.url}//api/oauth2/callback/${scene.other}/`]);
      const place = fields.findIndex(({ name }) => name === scene.other) + 1;
      assert.ok(scene.running.program.stderr().includes(`oauth2.providers[${place}].redirectURL`));
      assert.doesNotMatch(scene.running.program.stderr(), /oauth2\.providers\[0\]\.redirectURL/);
    },
  ),
  field(
    "clientID",
    [see("rollcall", "is sent to the sign-in page as client_id"), see("other-client", "other-client is sent")],
    () => ({ clientID: "other-client" }),
    async (scene) =>
      assert.deepEqual(
        (await left(scene)).map(({ searchParams }) => searchParams.get("client_id")),
        ["rollcall", "other-client"],
      ),
  ),
  field(
    "clientSecret",
    [see("a secret", "the token endpoint is called with it"), see("another secret", "it is called with that one")],
    () => ({ clientSecret: "another-client-secret" }),
    async ({ url, standIn, other }) => {
      await visitor(url).go("first");
      assert.equal(standIn.client, `rollcall:${client.secret}-first`);
      await visitor(url).go(other);
      assert.equal(standIn.client, "rollcall:another-client-secret");
    },
  ),
  field(
    "scopes",
    [see("not set", "no scope and no nonce is sent"), see("[openid, profile]", "both are asked for, and a nonce is sent")],
    () => ({ scopes: ["openid", "profile"] }),
    async (scene) => {
      const [first, second] = (await left(scene)).map(({ searchParams }) => searchParams);
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
      async ({ url, standIn, other }) => {
        for (const [name, route] of [
          ["first", usual],
          [other, `${usual}/other/`],
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
    async (scene) => {
      const id = (people += 1);
      await scene.connect({ id, account: { uuid: "first-uuid" } });
      scene.standIn.person = { id, account: { uuid: "second-uuid" } };
      assert.equal(await visitor(scene.url).go("first"), "/");
      assert.equal(await visitor(scene.url).go(scene.other), `/?oauth=unconnected&provider=${scene.other}`);
    },
  ),
  field(
    "mapping.username",
    [see("name", "the connection shows the name"), see("nick", "it shows the nick")],
    () => ({ mapping: { id: "id", username: "nick" } }),
    async (scene) => {
      const { first, second } = await scene.connect();
      assert.deepEqual([first["username"], second["username"]], ["Mara", "mara_l"]);
    },
  ),
  field(
    "mapping.avatar",
    [see("picture", "the connection shows the picture, served from the own origin"), see("not set", "it shows none")],
    () => ({ mapping: { id: "id" } }),
    async (scene) => {
      const { first, second, cookie } = await scene.connect();
      assert.equal(await pictureOf(scene, String(first["avatar"]), cookie), 200);
      assert.equal(second["avatar"], null);
    },
  ),
];

export const proofs: readonly OptionProof[] = [
  {
    option: "oauth2.providers",
    first: see("[]", "no provider is offered, and its addresses redirect back with a message"),
    second: see("one provider", "it is offered; it redirects back with the message that no account is connected"),
    async run(kit) {
      const [none, { running }] = await Promise.all([
        kit.usual(),
        start(kit, (standIn, url) => [providerSettings(standIn, url, "first")]),
      ]);
      assert.deepEqual((await call(none.url, "/api/oauth2/providers")).body.providers, []);
      assert.equal(await visitor(none.url).arrive("/api/oauth2/login/first"), "/?oauth=unknownProvider&provider=first");
      const offered = (await call(running.url, "/api/oauth2/providers")).body.providers as Entry[];
      assert.deepEqual(
        offered.map(({ name }) => name),
        ["first"],
      );
      assert.equal(await visitor(running.url).go("first"), "/?oauth=unconnected&provider=first");
    },
  },
  ...appearance,
  ...requests,
  ...mapping,
  {
    option: "secret",
    first: see("not set", "tokens of providers are not stored, and the account page says why"),
    second: see("a secret", "they are stored, and the database file does not hold them"),
    async run(kit) {
      const entries = (standIn: StandIn, url: string) => ["first", "second"].map((name) => providerSettings(standIn, url, name));
      const [without, having] = (
        await Promise.all([start(kit, entries), start(kit, entries, { secret: "the-secret-for-what-is-stored" })])
      ).map(({ standIn, running }) => scene(standIn, running, "second")) as [Scene, Scene];
      const tokens = "select coalesce(access_token, '') from oauth_connections where provider = 'first'";
      const stored = ({ running }: Scene) => queryFile(path.join(running.instance.folder, "data", "rollcall.db"))(tokens);
      assert.equal((await without.connect()).first["tokens"], "noSecret");
      assert.deepEqual(stored(without), [""]);
      assert.equal((await having.connect()).first["tokens"], "stored");
      const [sealed = ""] = stored(having);
      assert.match(sealed, /^v1\.[0-9a-f]{12}\./);
      assert.ok(!sealed.includes(client.token));
    },
  },
];
