import type { ReactNode } from "react";
import { SegmentedControl, Switch } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { setPreferences, tablet, usePreferences, type Density, type DisplayName, type Scheme } from "#core/preferences.ts";
import { LanguageSwitch } from "#ui/switches.tsx";
import classes from "./account.module.css";

const SCHEMES: readonly Scheme[] = ["dark", "light", "auto"];
const DENSITIES: readonly Density[] = ["compact", "comfortable"];

const APPEARANCE: readonly DisplayName[] = ["scheme", "density", "columns"];

const withAppearance = (names: readonly DisplayName[], only: boolean) => [
  ...names.filter((name) => !APPEARANCE.includes(name)),
  ...(only ? APPEARANCE : []),
];

/** How the application looks, on all devices of the account or on this one. */
export function DisplaySection() {
  const { t } = useText();
  const { scheme, density, singleKeys, navigationCollapsed, onlyHere } = usePreferences();
  const size = tablet ? "md" : "xs";
  return (
    <>
      <h2>{t("account.sections.display")}</h2>
      <p>{t("account.display.text")}</p>
      <div className={classes["form"]}>
        <Choice label={t("web.scheme.title")}>
          <SegmentedControl
            size={size}
            aria-label={t("web.scheme.title")}
            value={scheme}
            onChange={(value) => setPreferences({ scheme: value })}
            data={SCHEMES.map((value) => ({ value, label: t(`web.scheme.${value}`) }))}
          />
        </Choice>
        <Choice label={t("web.density.title")}>
          <SegmentedControl
            size={size}
            aria-label={t("web.density.title")}
            value={density}
            onChange={(value) => setPreferences({ density: value })}
            data={DENSITIES.map((value) => ({ value, label: t(`web.density.${value}`) }))}
          />
        </Choice>
        <Switch
          label={t("account.display.own")}
          description={t("account.display.ownText")}
          checked={APPEARANCE.every((name) => onlyHere.includes(name))}
          onChange={(event) => setPreferences({ onlyHere: withAppearance(onlyHere, event.currentTarget.checked) })}
        />
        <Choice label={t("web.language")}>
          <LanguageSwitch />
        </Choice>
        <Switch
          label={t("web.keys.single")}
          description={t("web.keys.singleText")}
          checked={singleKeys}
          onChange={(event) => setPreferences({ singleKeys: event.currentTarget.checked })}
        />
        <Switch
          label={t("account.display.collapsed")}
          checked={navigationCollapsed}
          onChange={(event) => setPreferences({ navigationCollapsed: event.currentTarget.checked })}
        />
      </div>
    </>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes["choice"]}>
      <span>{label}</span>
      {children}
    </div>
  );
}
