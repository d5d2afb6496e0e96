import { useEffect, useState } from "react";
import { Badge, Button, UnstyledButton } from "@mantine/core";
import { IconAdjustments, IconLock, IconLogout, IconUserCog, IconUserOff } from "@tabler/icons-react";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { session } from "#core/services.ts";
import { go } from "#core/session/path.ts";
import type { Account, ListedCharacter } from "#core/session/session.ts";
import { calendarDay } from "#core/time.ts";
import { setTitle } from "#core/title.ts";
import { OauthOutcomeNote } from "#features/oauth/oauth.api.ts";
import { jobColour } from "#ui/accent.ts";
import { JobTag } from "#ui/small.tsx";
import { EmptyState, ProblemNote } from "#ui/states.tsx";
import { LanguageSwitch } from "#ui/switches.tsx";
import icon from "#core/icon.svg";
import classes from "./auth.module.css";

export interface CharacterChoiceProps {
  readonly account: Account;
  readonly characters: readonly ListedCharacter[];
}

export default function CharacterChoice(props: CharacterChoiceProps) {
  const { t } = useText();
  const client = useClientConfig();
  const [busy, setBusy] = useState<number | null>(null);
  const [error, setError] = useState<{ problem: unknown; again: () => void } | null>(null);
  const name = client?.name ?? "Rollcall";

  useEffect(() => {
    setTitle(t("auth.characters.documentTitle", { name }));
  }, [t, name]);

  const attempt = async (action: () => Promise<void>) => {
    setError(null);
    try {
      await action();
    } catch (problem) {
      setBusy(null);
      setError({ problem, again: () => void attempt(action) });
    }
  };

  const choose = (id: number) => {
    setBusy(id);
    void attempt(() => session.choose(id));
  };

  return (
    <main className={classes["page"]}>
      <div className={classes["wide"]}>
        <div className={classes["brand"]}>
          <img src={icon} alt="" />
          <div>
            <h1>{t("auth.characters.title")}</h1>
            <p>{t("auth.characters.lead", { username: props.account.username, name })}</p>
          </div>
        </div>
        {error && <ProblemNote error={error.problem} onRetry={error.again} />}
        <OauthOutcomeNote />
        <Notices account={props.account} characters={props.characters} />
        {props.characters.length === 0 ? (
          <div className={classes["panel"]}>
            <NoCharacter isAdmin={props.account.configAdmin} />
          </div>
        ) : (
          <ul className={classes["cards"]}>
            {props.characters.map((character, index) => (
              <li key={character.id}>
                <Card
                  character={character}
                  first={index === 0}
                  busy={busy === character.id}
                  onChoose={() => choose(character.id)}
                />
              </li>
            ))}
          </ul>
        )}
        <Foot account={props.account} onSignOut={() => void attempt(() => session.signOut())} />
      </div>
    </main>
  );
}

/** An admin without one may simply have no game licence yet, as the setup lets one leave it out. */
function NoCharacter({ isAdmin }: { isAdmin: boolean }) {
  const { t } = useText();
  const text = t("auth.characters.noneText");
  return (
    <EmptyState
      icon={IconUserOff}
      title={t("auth.characters.none")}
      text={isAdmin ? `${text} ${t("auth.characters.noneAdmin")}` : text}
      action={isAdmin && <Button onClick={() => go("/panel/accounts")}>{t("auth.characters.toAccounts")}</Button>}
    />
  );
}

function Foot(props: { account: Account; onSignOut: () => void }) {
  const { t } = useText();
  return (
    <div className={classes["foot"]}>
      <LanguageSwitch />
      <Button variant="subtle" color="gray" leftSection={<IconUserCog size={16} />} onClick={() => go("/account")}>
        {t("auth.account")}
      </Button>
      {props.account.configAdmin && (
        <Button variant="subtle" color="gray" leftSection={<IconAdjustments size={16} />} onClick={() => go("/panel/settings")}>
          {t("auth.toPanel")}
        </Button>
      )}
      <Button variant="subtle" color="gray" leftSection={<IconLogout size={16} />} onClick={props.onSignOut}>
        {t("auth.signOut")}
      </Button>
    </div>
  );
}

/** Why admin powers or characters are missing, and what to do about it. */
function Notices(props: { account: Account; characters: readonly ListedCharacter[] }) {
  const { t } = useText();
  return (
    <>
      {props.account.factorNeededForAdmin && (
        <p className={classes["notice"]}>
          {t("auth.factorForAdmin")}{" "}
          <a
            href="/account/factor"
            onClick={(event) => {
              event.preventDefault();
              go("/account/factor");
            }}
          >
            {t("auth.factorSetUp")}
          </a>
        </p>
      )}
      {props.characters.some(({ locked }) => locked) && <p className={classes["notice"]}>{t("auth.characters.lockedText")}</p>}
    </>
  );
}

function Card(props: { character: ListedCharacter; first: boolean; busy: boolean; onChoose: () => void }) {
  const { t, language } = useText();
  const { character } = props;
  const initials = `${character.firstName.charAt(0)}${character.lastName.charAt(0)}`.toUpperCase();
  return (
    <UnstyledButton
      className={classes["card"] ?? ""}
      onClick={props.onChoose}
      data-busy={props.busy || character.locked}
      aria-busy={props.busy}
      disabled={character.locked}
      autoFocus={props.first}
    >
      <span className={classes["cardHead"]}>
        <span className={classes["initials"]} style={{ borderBottomColor: jobColour(character.job.name) }} aria-hidden>
          {initials}
        </span>
        <span className={classes["name"]}>
          {character.firstName} {character.lastName}
        </span>
      </span>
      <JobTag job={character.job} />
      <span className={classes["cardFoot"]}>
        <span className="rc-number">
          {character.dateOfBirth
            ? t("auth.characters.born", { day: calendarDay(character.dateOfBirth, language) })
            : `CIT-${character.id}`}
        </span>
        {character.locked && (
          <span className={classes["locked"]}>
            <IconLock size={13} aria-hidden />
            {t("auth.characters.locked")}
          </span>
        )}
        {character.lastUsed && (
          <Badge variant="default" size="sm">
            {t("auth.characters.lastUsed")}
          </Badge>
        )}
      </span>
    </UnstyledButton>
  );
}
