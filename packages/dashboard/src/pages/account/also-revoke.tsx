import { useQuery } from '@tanstack/react-query';
import { passkeysQuery, tokensQuery } from '../../api/queries.ts';
import { CheckBox } from '../../components/check-box.tsx';

export interface AlsoRevoked {
  revokeTokens: boolean;
  revokePasskeys: boolean;
}

export const REVOKE_NOTHING: AlsoRevoked = { revokeTokens: false, revokePasskeys: false };

interface AlsoRevokeProps {
  value: AlsoRevoked;
  onChange: (value: AlsoRevoked) => void;
}

/** Access tokens and passkeys keep working after a new password unless they are removed. Hidden if there are none. */
export function AlsoRevoke({ value, onChange }: AlsoRevokeProps) {
  const { data: tokens = [] } = useQuery(tokensQuery);
  const { data: passkeys = [] } = useQuery(passkeysQuery);
  return (
    <>
      {tokens.length > 0 && (
        <CheckBox
          checked={value.revokeTokens}
          onChange={(revokeTokens) => onChange({ ...value, revokeTokens })}
        >
          Also remove my access tokens ({namesOf(tokens)}). Otherwise, scripts that use them keep working.
        </CheckBox>
      )}
      {passkeys.length > 0 && (
        <CheckBox
          checked={value.revokePasskeys}
          onChange={(revokePasskeys) => onChange({ ...value, revokePasskeys })}
        >
          Also remove my passkeys ({namesOf(passkeys)}). Otherwise, they still sign in.
        </CheckBox>
      )}
    </>
  );
}

const namesOf = (things: readonly { name: string }[]) => things.map(({ name }) => name).join(', ');
