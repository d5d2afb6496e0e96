import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type ComponentType } from "react";
import { FocusTrap, SegmentedControl, UnstyledButton } from "@mantine/core";
import { useClickOutside, useWindowEvent } from "@mantine/hooks";
import {
  IconChevronDown,
  IconKeyboard,
  IconLogout,
  IconShieldBolt,
  IconSwitchHorizontal,
  IconUserCog,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { avatarTopic, getAvatar } from "@rollcall/server/contract/citizens";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { Thumbnail } from "#features/files/files.api.ts";
import { JobTag } from "#ui/small.tsx";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { setPreferences, tablet, usePreferences, type Density, type Scheme } from "#core/preferences.ts";
import { forgetRecent } from "#core/recent.ts";
import { session } from "#core/services.ts";
import { LegalLinks } from "#features/auth/auth.api.ts";
import { LanguageSwitch } from "#ui/switches.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { openDialog } from "./dialogs.ts";
import classes from "./accountMenu.module.css";

const SCHEMES: readonly Scheme[] = ["dark", "light", "auto"];
const DENSITIES: readonly Density[] = ["compact", "comfortable"];

/** The character, the display preferences, and the sign-out. */
export function AccountMenu() {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const avatar = useAvatar(character.id);
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useClickOutside<HTMLDivElement>(() => setOpened(false));
  const name = `${character.firstName} ${character.lastName}`;

  useWindowEvent("keydown", (event) => {
    if (!opened || event.key !== "Escape") return;
    setOpened(false);
    button.current?.focus();
  });

  return (
    <div className={classes["menu"]} ref={menu}>
      <UnstyledButton
        ref={button}
        className={classes["who"] ?? ""}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        <span className={classes["badge"]} aria-hidden>
          {avatar ? (
            <Thumbnail of={avatar} size={24} round />
          ) : (
            `${character.firstName.charAt(0)}${character.lastName.charAt(0)}`.toUpperCase()
          )}
        </span>
        <span className={classes["whoText"]}>
          <span>{name}</span>
          <span>
            <JobTag job={character.job} />
          </span>
        </span>
        <span className="rc-hidden">{t("web.frame.account")}</span>
        <IconChevronDown size={14} aria-hidden />
      </UnstyledButton>
      {opened && (
        <FocusTrap active>
          <div className={classes["panel"]} role="dialog" aria-label={t("web.frame.account")}>
            <Entries close={() => setOpened(false)} />
          </div>
        </FocusTrap>
      )}
    </div>
  );
}

/** The picture of the character; null while there is none. */
function useAvatar(character: number) {
  const query = useQuery({ ...queryOf(getAvatar, {}), staleTime: 300_000 });
  useFollow(avatarTopic, character);
  return query.data?.avatar ?? null;
}

function Entries({ close }: { close: () => void }) {
  const { t } = useText();
  const { account, character, jobAdmin } = useActiveIdentity();
  const [error, setError] = useState<unknown>(null);
  const navigate = useNavigate();

  const attempt = (action: () => Promise<void>) => {
    setError(null);
    action().catch(setError);
  };

  const open = (name: "admin" | "help") => {
    close();
    openDialog(name);
  };

  const signOut = () => {
    forgetRecent(character.id);
    attempt(() => session.signOut());
  };

  return (
    <>
      <div className={classes["label"]}>{t("web.frame.signedInAs", { username: account.username })}</div>
      {account.factorNeededForAdmin && <div className={classes["label"]}>{t("auth.factorForAdmin")}</div>}
      <Entry
        icon={IconSwitchHorizontal}
        text={t("web.frame.switchCharacter")}
        onClick={() => attempt(() => session.leaveCharacter())}
      />
      <Entry
        icon={IconUserCog}
        text={t(account.factorNeededForAdmin ? "auth.factorSetUp" : "auth.account")}
        onClick={() => {
          close();
          void navigate({ to: account.factorNeededForAdmin ? "/account/factor" : "/account" });
        }}
      />
      {account.mayJobAdmin && !jobAdmin && (
        <Entry icon={IconShieldBolt} text={t("auth.jobAdmin.open")} onClick={() => open("admin")} />
      )}
      <Entry icon={IconKeyboard} text={t("web.keys.title")} onClick={() => open("help")} />
      <hr className={classes["line"]} />
      <Appearance />
      <hr className={classes["line"]} />
      <Entry icon={IconLogout} text={t("auth.signOut")} onClick={signOut} />
      <LegalLinks />
      {error !== null && <ProblemNote error={error} />}
    </>
  );
}

function Entry(props: { icon: ComponentType<{ size?: number }>; text: string; onClick: () => void }) {
  return (
    <UnstyledButton className={classes["entry"] ?? ""} data-large={tablet} onClick={props.onClick}>
      <props.icon size={16} />
      {props.text}
    </UnstyledButton>
  );
}

function Appearance() {
  const { t } = useText();
  const { scheme, density } = usePreferences();
  return (
    <>
      <div className={classes["row"]}>
        <span>{t("web.scheme.title")}</span>
        <SegmentedControl
          size={tablet ? "md" : "xs"}
          fullWidth
          aria-label={t("web.scheme.title")}
          value={scheme}
          onChange={(value) => setPreferences({ scheme: value })}
          data={SCHEMES.map((value) => ({ value, label: t(`web.scheme.${value}`) }))}
        />
      </div>
      <div className={classes["row"]}>
        <span>{t("web.density.title")}</span>
        <SegmentedControl
          size={tablet ? "md" : "xs"}
          fullWidth
          aria-label={t("web.density.title")}
          value={density}
          onChange={(value) => setPreferences({ density: value })}
          data={DENSITIES.map((value) => ({ value, label: t(`web.density.${value}`) }))}
        />
      </div>
      <div className={classes["row"]}>
        <span>{t("web.language")}</span>
        <LanguageSwitch fullWidth />
      </div>
    </>
  );
}
