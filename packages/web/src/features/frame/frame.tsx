import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { ActionIcon, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { useActing } from "#core/abilities.ts";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { useKeyboard, useShortcuts } from "#core/keyboard.ts";
import { isOffered, type Jump, type NavigationEntry } from "#core/pages.ts";
import { tablet } from "#core/preferences.ts";
import { useLineStatus } from "#core/realtime/live.tsx";
import { SeeAsBanner } from "#features/access/seeAs.tsx";
import { Bell } from "#features/notifications/bell.tsx";
import { OauthOutcomeToast } from "#features/oauth/outcome.tsx";
import { SystemBanner } from "#features/settings/banner.tsx";
import { Keys } from "#ui/small.tsx";
import { Toasts } from "#ui/toasts.tsx";
import { AccountMenu } from "./accountMenu.tsx";
import { AdminBanner, LineBanner } from "./banners.tsx";
import { LineState } from "./line.tsx";
import { Dialogs, fetchSearch, openDialog, useDialogOpen } from "./dialogs.tsx";
import { Navigation } from "./navigation.tsx";
import classes from "./frame.module.css";

const NavigationDrawer = lazy(() => import("./drawer.tsx"));

export interface FrameProps {
  readonly navigation: readonly NavigationEntry[];
  readonly jumps: readonly Jump[];
  readonly children: ReactNode;
}

/** Navigation, top bar and the page. */
export function Frame({ navigation, jumps, children }: FrameProps) {
  const { t } = useText();
  const acting = useActing();
  const { jobAdmin } = acting;
  const small = useMediaQuery("(max-width: 699.9px)", false, { getInitialValueInEffect: false });
  const [drawer, setDrawer] = useState(false);
  const main = useRef<HTMLElement>(null);
  const places = navigation.filter((entry) => isOffered(entry, acting));
  const line = useLineStatus().state;
  const stale = line === "lost" || line === "stale";
  const covered = useDialogOpen() || (small && drawer);
  useKeyboard();
  useFrameShortcuts(places);
  useTitle(places);

  return (
    <div className={classes["frame"]} inert={covered} data-tablet={tablet}>
      <SkipLink onSkip={() => main.current?.focus()} />
      {!small && <Navigation places={places} />}
      <TopBar small={small} onMenu={() => setDrawer(true)} />
      <div className={classes["banner"]} role="region" aria-label={t("web.frame.notices")}>
        <SystemBanner />
        <LineBanner />
        <AdminBanner key={jobAdmin?.until} />
        <SeeAsBanner />
      </div>
      <main ref={main} tabIndex={-1} className={classes["main"]} data-stale={stale}>
        <Suspense fallback={null}>{children}</Suspense>
      </main>
      <Suspense fallback={null}>
        {small && drawer && <NavigationDrawer places={places} onClose={() => setDrawer(false)} />}
      </Suspense>
      <Dialogs places={places} jumps={jumps} />
      <OauthOutcomeToast />
      <Toasts />
    </div>
  );
}

function TopBar({ small, onMenu }: { small: boolean; onMenu: () => void }) {
  const { t } = useText();
  return (
    <header className={classes["top"]}>
      {small && (
        <ActionIcon onClick={onMenu} aria-label={t("web.frame.menu")}>
          <IconMenu2 size={20} />
        </ActionIcon>
      )}
      <UnstyledButton
        className={classes["searchButton"] ?? ""}
        onClick={() => openDialog("search")}
        onPointerEnter={fetchSearch}
        onFocus={fetchSearch}
        aria-keyshortcuts="Control+K"
      >
        <IconSearch size={15} aria-hidden />
        <span>{t("web.frame.search")}</span>
        <Keys keys="Ctrl+K" hint />
      </UnstyledButton>
      {!small && <span className={classes["spacer"]} />}
      <LineState />
      <Bell />
      <AccountMenu />
    </header>
  );
}

function SkipLink({ onSkip }: { onSkip: () => void }) {
  const { t } = useText();
  return (
    <UnstyledButton className={classes["skip"] ?? ""} onClick={onSkip}>
      {t("web.frame.skip")}
    </UnstyledButton>
  );
}

function useFrameShortcuts(places: readonly NavigationEntry[]): void {
  const navigate = useNavigate();
  useShortcuts([
    { keys: "Ctrl+K", label: "web.keys.search", group: "anywhere", run: () => openDialog("search") },
    { keys: "?", label: "web.keys.help", group: "anywhere", run: () => openDialog("help") },
    ...places.flatMap(({ letter, label, to }) =>
      letter === undefined ? [] : [{ keys: `g ${letter}`, label, group: "goto" as const, run: () => void navigate({ to }) }],
    ),
  ]);
}

function useTitle(places: readonly NavigationEntry[]): void {
  const { t } = useText();
  const client = useClientConfig();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const here = places.find(({ to }) => (to === "/" ? path === "/" : path.startsWith(to)));
  const name = client?.name ?? "Rollcall";
  useEffect(() => {
    document.title = here ? `${t(here.label)} · ${name}` : name;
  }, [here, name, t]);
}
