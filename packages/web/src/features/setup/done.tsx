import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { session } from "#core/services.ts";
import { go } from "#core/session/path.ts";
import { StepTitle } from "./parts.tsx";
import classes from "./setup.module.css";

const NEXT = [
  { what: "characters", path: "/panel/accounts" },
  { what: "roles", path: "/panel/roles" },
  { what: "status", path: "/panel/status" },
] as const;

/** The linked pages need no character. `hasCharacter`: one is chosen already. */
export function DoneStep({ hasCharacter }: { hasCharacter: boolean }) {
  const { t } = useText();
  const leave = () => {
    // Characters may have been added since the sign-in.
    if (!hasCharacter) void session.start();
    go("/");
  };
  return (
    <>
      <StepTitle>{t("setup.done.title")}</StepTitle>
      <p>{t("setup.done.text")}</p>
      <ul className={classes["next"]}>
        {NEXT.map(({ what, path }) => (
          <li key={what}>
            <strong>
              <a href={path}>{t(`setup.done.${what}`)}</a>
            </strong>
            <span>{t(`setup.done.${what}Why`)}</span>
          </li>
        ))}
      </ul>
      <div className={classes["acts"]}>
        <Button onClick={leave}>{t("setup.done.go")}</Button>
      </div>
    </>
  );
}
