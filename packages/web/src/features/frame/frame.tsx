import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { ActionIcon, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { useActiveIdentity } from "#core/abilities.ts";
import { useClientConfig } from "#core/client.ts";
import { loadPanelTexts, useText } from "#core/i18n.ts";
import { useKeyboard, useShortcuts } from "#core/keyboard.ts";
import { isOffered, type Jump, type NavigationEntry } from "#core/pages.ts";
import { tablet } from "#core/preferences.ts";
import { useConnectionStatus } from "#core/realtime/live.tsx";
import { SeeAsBanner } from "#features/access/access.api.ts";
import { Bell } from "#features/notifications/notifications.api.ts";
import { OauthOutcomeToast } from "#features/oauth/oauth.api.ts";
import { FollowPreferences } from "#features/preferences/preferences.api.ts";
import { SystemBanner } from "#features/settings/settings.api.ts";
import { Keys } from "#ui/small.tsx";
import { Toasts } from "#ui/toasts.tsx";
import { AccountMenu } from "./accountMenu.tsx";
import { AdminBanner, ConnectionBanner } from "./banners.tsx";
import { ConnectionIndicator } from "./connection.tsx";
import { Dialogs, fetchSearch, openDialog, useDialogOpen } from "./dialogs.tsx";
import { Navigation } from "./navigation.tsx";
import classes from "./frame.module.css";

const TokenBanner = lazy(async () => (await Promise.all([import("./tokenBanner.tsx"), loadPanelTexts()]))[0]);
const NavigationDrawer = lazy(() => import("./drawer.tsx"));

export interface FrameProps {
  readonly navigation: readonly NavigationEntry[];
  readonly jumps: readonly Jump[];
  readonly children: ReactNode;
}

/** Navigation, top bar and the page. */
export function Frame({ navigation, jumps, children }: FrameProps) {
  const { t } = useText();
  const identity = useActiveIdentity();
  const { account, jobAdmin } = identity;
  const small = useMediaQuery("(max-width: 699.9px)", false, { getInitialValueInEffect: false });
  const [drawer, setDrawer] = useState(false);
  const main = useRef<HTMLElement>(null);
  const pages = navigation.filter((entry) => isOffered(entry, identity));
  const connection = useConnectionStatus().state;
  const stale = connection === "lost" || connection === "stale";
  const covered = useDialogOpen() || (small && drawer);
  useKeyboard();
  useFrameShortcuts(pages);
  useTitle(pages);

  return (
    <div className={classes["frame"]} inert={covered} data-tablet={tablet}>
      <SkipLink onSkip={() => main.current?.focus()} />
      {!small && <Navigation pages={pages} />}
      <TopBar small={small} onMenu={() => setDrawer(true)} />
      <div className={classes["banner"]} role="region" aria-label={t("web.frame.notices")}>
        <SystemBanner />
        {account.configAdmin && (
          <Suspense fallback={null}>
            <TokenBanner />
          </Suspense>
        )}
        <ConnectionBanner />
        <AdminBanner key={jobAdmin?.until} />
        <SeeAsBanner />
      </div>
      <main ref={main} tabIndex={-1} className={classes["main"]} data-stale={stale}>
        <Suspense fallback={null}>{children}</Suspense>
      </main>
      <Suspense fallback={null}>
        {small && drawer && <NavigationDrawer pages={pages} onClose={() => setDrawer(false)} />}
      </Suspense>
      <Dialogs pages={pages} jumps={jumps} />
      <OauthOutcomeToast />
      <FollowPreferences />
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
      <ConnectionIndicator />
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

function useFrameShortcuts(pages: readonly NavigationEntry[]): void {
  const navigate = useNavigate();
  useShortcuts([
    { keys: "Ctrl+K", label: "web.keys.search", group: "anywhere", run: () => openDialog("search") },
    { keys: "?", label: "web.keys.help", group: "anywhere", run: () => openDialog("help") },
    ...pages.flatMap(({ letter, label, to }) =>
      letter === undefined ? [] : [{ keys: `g ${letter}`, label, group: "goto" as const, run: () => void navigate({ to }) }],
    ),
  ]);
}

function useTitle(pages: readonly NavigationEntry[]): void {
  const { t } = useText();
  const client = useClientConfig();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const here = pages.find(({ to }) => (to === "/" ? path === "/" : path.startsWith(to)));
  const name = client?.name ?? "Rollcall";
  useEffect(() => {
    document.title = here ? `${t(here.label)} · ${name}` : name;
  }, [here, name, t]);
}
