import { expect, test } from "vitest";
import { type NavigationEntry, navigationOf } from "./pages.ts";

const entry = (to: string, group: NavigationEntry["group"], position?: number): NavigationEntry => ({
  group,
  to,
  label: to,
  icon: () => null,
  ...(position === undefined ? {} : { position }),
});

test("the navigation is ordered by group and position, entries without a position last by their address", () => {
  const features = [
    { navigation: [entry("/roles", "control", 20), entry("/wiki", "records"), entry("/mail", "records")] },
    { navigation: [entry("/vehicles", "records", 20), entry("/jobs", "control", 10)] },
    { navigation: [entry("/citizens", "records", 10), entry("/", "home", 10)] },
  ];
  const order = ["/", "/citizens", "/vehicles", "/mail", "/wiki", "/jobs", "/roles"];
  expect(navigationOf(features).map(({ to }) => to)).toEqual(order);
  expect(navigationOf(features.toReversed()).map(({ to }) => to)).toEqual(order);
});
