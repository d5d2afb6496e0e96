import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const toggle = "main fieldset label";

const say = async (page: Page, right: string, said: string) => {
  await page.click(`fieldset:has(legend:text-is("${right}")) label[data-said=${said}]`);
};

const save = async (page: Page) => {
  await page.click("main button >> text=Save");
  await page.waitForSelector("main button >> text=Save", { state: "detached" });
};

/** Creates a role, and says and takes back a refusal in it. */
const createRole = async (page: Page) => {
  await page.click("main button >> text=Create a role");
  await page.waitForSelector("text=Create a role", { state: "detached" });
  for (const said of ["deny", "inherit"]) {
    await say(page, "List and search citizens", said);
    await page.waitForSelector("text=1 unsaved change");
    await page.click("main button >> text=Save");
    await page.waitForSelector("text=1 unsaved change", { state: "detached" });
  }
};

const limit = async (page: Page) => {
  await page.click("main label:has-text('This job is limited')");
  await page.click("main section input >> nth=0");
  await save(page);
};

const findRights = async (page: Page) => {
  await page.fill("main input[placeholder='Type a name']", "mateo hernandez");
  await page.click("[role=option] >> text=Mateo Hernández");
  await page.waitForSelector("[data-decision=true]");
};

export const pageStates: readonly PageState[] = [
  {
    name: "roles",
    as: chief,
    path: "/panel/roles?grade=5",
    ready: toggle,
    act: async (page) => await say(page, "Open a citizen's profile", "deny"),
  },
  {
    name: "roles-rows",
    as: chief,
    path: "/panel/roles?grade=5",
    ready: toggle,
    act: async (page) => {
      await say(page, "List and search citizens", "allow");
      const types = "main label:has-text('Types of licences')";
      await page.click(types);
      await page.fill("main input[placeholder='Type a part of the name']", "dri");
      await page.click("[role=option]");
    },
  },
  {
    name: "roles-none",
    as: chief,
    path: "/panel/roles?grade=4",
    ready: "main button >> text=Create a role",
    flow: createRole,
  },
  {
    name: "roles-bundle",
    as: chief,
    path: "/panel/roles?grade=0",
    ready: toggle,
    act: async (page) => {
      await page.click("main button >> text=Apply a bundle");
      await page.click("[role=dialog] input");
      await page.click("[role=option] >> text=Medics");
      await page.waitForSelector("[role=dialog] del");
    },
  },
  { name: "roles-default", as: "admin", path: "/panel/roles?grade=default", ready: toggle },
  {
    name: "limits",
    as: "admin",
    adminMode: true,
    path: "/panel/limits?job=taxi",
    ready: "main h2",
    flow: limit,
    act: async (page) => {
      await page.click("main label:has-text('This job is limited')");
      await page.waitForSelector("main section");
    },
  },
  {
    name: "limits-history",
    as: "admin",
    adminMode: true,
    path: "/panel/limits?job=mechanic",
    ready: "main h2",
    act: async (page) => {
      await page.click("main label:has-text('This job is limited')");
      await page.click("main section input >> nth=0");
      await page.click("main button >> text=Save");
      await page.waitForSelector("main button >> text=Save", { state: "detached" });
      await page.click("main button >> text=History");
      await page.waitForSelector("[role=dialog] del");
    },
  },
  { name: "rights", as: chief, path: "/panel/rights", ready: "[data-decision=true]" },
  { name: "rights-german", as: chief, language: "de", path: "/panel/rights?who=g1", ready: "[data-decision=true]" },
  {
    name: "rights-person",
    as: chief,
    path: "/panel/rights?who=c",
    ready: "main input[placeholder='Type a name']",
    act: findRights,
    flow: findRights,
  },
  {
    name: "see-as",
    as: "medic.chief",
    path: "/panel/roles?grade=2",
    ready: toggle,
    act: async (page) => {
      await page.click("main button[aria-haspopup=menu]");
      await page.click("[role=menuitem] >> text=See as this grade");
      await page.waitForSelector("text=You see as grade");
    },
  },
];
