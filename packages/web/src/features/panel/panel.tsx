import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import type { Banner, NavigationEntry } from "#core/pages.ts";
import { go } from "#core/session/path.ts";
import { useDocumentTitle } from "#features/frame/frame.api.ts";
import { LanguageSwitch } from "#ui/switches.tsx";
import { Toasts } from "#ui/toasts.tsx";
import icon from "#core/icon.svg";
import classes from "./panel.module.css";

export interface ShellProps {
  readonly places: readonly NavigationEntry[];
  readonly banners: readonly Banner[];
  readonly children: ReactNode;
}

/** The frame of pages that need no character. */
export function Shell({ places, banners, children }: ShellProps) {
  const { t } = useText();
  const name = useClientConfig()?.name ?? "Rollcall";
  useDocumentTitle(places);
  return (
    <div className={classes["shell"]}>
      <header className={classes["head"]}>
        <span className={classes["brand"]}>
          <img src={icon} alt="" />
          {name}
        </span>
        <nav aria-label={t("web.frame.navigation")}>
          {places.map((place) => (
            <Link key={place.to} to={place.to} className={classes["place"]} activeOptions={{ includeSearch: false }}>
              <place.icon size={16} stroke={1.7} />
              {t(place.label)}
            </Link>
          ))}
        </nav>
        <div className={classes["end"]}>
          <LanguageSwitch />
          <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={16} />} onClick={() => go("/")}>
            {t("auth.toCharacters")}
          </Button>
        </div>
      </header>
      {banners.map(({ id, banner: One }) => (
        <One key={id} />
      ))}
      <main className={classes["page"]}>{children}</main>
      <Toasts />
    </div>
  );
}

/** A page that needs a character: shows the choice of one first. */
export function CharacterNeeded() {
  const { t } = useText();
  return (
    <div className={classes["nowhere"]}>
      <p>{t("auth.panelNeedsCharacter")}</p>
      <Button onClick={() => go("/")}>{t("auth.toCharacters")}</Button>
    </div>
  );
}
