import { createInstance } from "i18next";
import { expect, it } from "vitest";
import { addTexts, NAMESPACE } from "./i18n.bundles.ts";

const everyPage = { approvals: { title: "Requests" } };
const feature = { approvals: { panel: { kind: "Kind" } } };

it.each([
  ["first", [everyPage, feature]],
  ["last", [feature, everyPage]],
])("the texts of every page may arrive %s", async (_, bundles) => {
  const instance = createInstance();
  await instance.init({ lng: "en", fallbackLng: false, defaultNS: NAMESPACE, ns: [NAMESPACE], resources: {} });
  for (const texts of bundles) addTexts(instance, "en", texts);
  expect([instance.t("approvals.title"), instance.t("approvals.panel.kind")]).toEqual(["Requests", "Kind"]);
});
