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

/** A first choice creates the role; it is then taken back. */
const createRole = async (page: Page) => {
  for (const said of ["deny", "inherit"]) {
    await say(page, "List and search citizens", said);
    await page.waitForSelector("text=1 unsaved change");
    await page.click("main button >> text=Save");
    await page.waitForSelector("text=1 unsaved change", { state: "detached" });
  }
};

/** Moves to a cell by arrow keys, refuses there, and undoes it from the message. */
const chooseInMatrix = async (page: Page) => {
  await page.focus("main [data-cell='0,0']");
  for (const key of ["ArrowRight", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"])
    await page.keyboard.press(key);
  await page.click("[role=menuitem][data-said=deny]");
  await page.waitForSelector("main [data-cell='4,0'][data-own=true]");
  await page.click("[role=log] button >> text=Undo");
  await page.waitForSelector("main [data-cell='4,0'][data-own=false]");
};

const limit = async (page: Page) => {
  await page.click("main label:has-text('This job has limits')");
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
    name: "roles-matrix",
    as: chief,
    path: "/panel/roles?grade=all",
    ready: "main [data-cell]",
    flow: chooseInMatrix,
    act: async (page) => {
      await page.click("main [data-cell='4,0']");
      await page.waitForSelector("[role=menuitem][data-said=deny]");
    },
  },
  {
    name: "roles-rows",
    as: chief,
    path: "/panel/roles?grade=5",
    ready: toggle,
    act: async (page) => {
      await say(page, "List and search citizens", "allow");
      const types = "main label:has-text('Licence types')";
      await page.click(types);
      await page.fill("main input[placeholder='Type part of the name']", "dri");
      await page.click("[role=option]:visible");
    },
  },
  {
    name: "roles-none",
    as: chief,
    path: "/panel/roles?grade=4",
    ready: toggle,
    flow: createRole,
  },
  {
    name: "roles-delete",
    as: "medic.chief",
    path: "/panel/roles?grade=0",
    ready: toggle,
    act: async (page) => {
      await page.click("main button[aria-haspopup=menu]");
      await page.click("[role=menuitem] >> text=Delete this role");
      await page.waitForSelector("[role=dialog] li");
    },
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
    name: "roles-jobs",
    as: "admin",
    path: "/panel/roles?grade=jobs",
    ready: "main h2",
    flow: async (page) => {
      await page.click("main button >> text='Enter admin mode'");
      await page.waitForSelector("[role=dialog] textarea");
    },
  },
  { name: "limits-refused", as: "admin", path: "/panel/limits", ready: "main h1" },
  {
    name: "limits",
    as: "admin",
    adminMode: true,
    path: "/panel/limits?job=taxi",
    ready: "main h2",
    flow: limit,
    act: async (page) => {
      await page.click("main label:has-text('This job has limits')");
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
      await page.click("main label:has-text('This job has limits')");
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
      await page.waitForSelector("text=You see Rollcall as grade");
    },
  },
];
