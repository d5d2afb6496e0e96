import { useRef, useState, type ReactNode } from "react";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { ActionIcon, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useKeyboard, useShortcuts } from "#core/keyboard.ts";
import { isOffered, type NavigationEntry, type PageShortcut, useDeclared } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { useConnectionStatus } from "#core/realtime/live.tsx";
import { Bell } from "#features/notifications/notifications.api.ts";
import { OauthOutcomeToast } from "#features/oauth/oauth.api.ts";
import { FollowPreferences } from "#features/preferences/preferences.api.ts";
import { AdminsOnlyPage } from "#ui/refusals.tsx";
import { Keys } from "#ui/small.tsx";
import { Toasts } from "#ui/toasts.tsx";
import { AccountMenu } from "./accountMenu.tsx";
import { isBelow, pageAt } from "./address.ts";
import { useLoadingAhead } from "./ahead.ts";
import { useCommandContext } from "./commands.ts";
import { ConnectionIndicator } from "./connection.tsx";
import { fetchSearch, openDialog, useOpenDialog } from "./dialogs.ts";
import { Navigation, type NavigationProps } from "./navigation.tsx";
import { Dialogs } from "./openDialogs.tsx";
import { Announcements, useDocumentTitle } from "./title.tsx";
import classes from "./frame.module.css";

const NavigationDrawer = part<Pick<NavigationProps, "pages"> & { onClose(): void }>([], () => import("./drawer.tsx"));

/** Navigation, top bar and the page. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { t } = useText();
  const identity = useActiveIdentity();
  const { navigation, shortcuts } = useDeclared();
  const small = useMediaQuery("(max-width: 699.9px)", false, { getInitialValueInEffect: false });
  const [drawer, setDrawer] = useState(false);
  const main = useRef<HTMLElement>(null);
  const pages = navigation.filter((entry) => isOffered(entry, identity));
  const connection = useConnectionStatus().state;
  const stale = connection === "lost" || connection === "stale";
  const covered = useOpenDialog() !== null || (small && drawer);
  const shown = useDocumentTitle(pages);
  useKeyboard();
  useFrameShortcuts(pages, shortcuts);
  useLoadingAhead(pages);

  return (
    <div className={classes["frame"]} inert={covered} data-tablet={tablet}>
      <SkipLink onSkip={() => main.current?.focus()} />
      {!small && <Navigation pages={pages} />}
      <TopBar small={small} onMenu={() => setDrawer(true)} />
      <div className={classes["banner"]} role="region" aria-label={t("web.frame.notices")}>
        <Banners />
      </div>
      <main ref={main} tabIndex={-1} className={classes["main"]} data-stale={stale}>
        <Refused navigation={navigation}>{children}</Refused>
      </main>
      {small && drawer && <NavigationDrawer pages={pages} onClose={() => setDrawer(false)} />}
      <Announcements shown={shown} pages={pages} main={main} />
      <Dialogs />
      <OauthOutcomeToast />
      <FollowPreferences />
      <Toasts />
    </div>
  );
}

/** A page whose entry is for config admins alone says so to others once, in place of each of its calls. */
function Refused({ navigation, children }: { navigation: readonly NavigationEntry[]; children: ReactNode }) {
  const identity = useActiveIdentity();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const here = pageAt(navigation, path);
  const isTheirs = here?.admins === "config" && here.needs === undefined;
  return isTheirs && !isOffered(here, identity) ? <AdminsOnlyPage /> : children;
}

function Banners() {
  const { banners } = useDeclared();
  const identity = useActiveIdentity();
  return banners.filter((one) => isOffered(one, identity)).map(({ id, banner: One }) => <One key={id} />);
}

function Controls() {
  const { bar } = useDeclared();
  const identity = useActiveIdentity();
  return bar.filter((one) => isOffered(one, identity)).map(({ id, control: One }) => <One key={id} />);
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
      <span className={classes["spacer"]} />
      <Controls />
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

function useFrameShortcuts(pages: readonly NavigationEntry[], declared: readonly PageShortcut[]): void {
  const navigate = useNavigate();
  const context = useCommandContext();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const here = declared.filter(({ on }) => on === undefined || on.some((page) => isBelow(path, page)));
  useShortcuts([
    ...pages.flatMap(({ letter, label, to }) =>
      letter === undefined ? [] : [{ keys: `g ${letter}`, label, group: "goto" as const, run: () => void navigate({ to }) }],
    ),
    ...here.map(({ keys, label, on, run }) => ({
      keys,
      label,
      group: on === undefined ? ("anywhere" as const) : ("page" as const),
      ...(run ? { run: () => run(context) } : {}),
    })),
  ]);
}
