import { useQuery } from '@tanstack/react-query';
import { tokensQuery } from '../../api/queries.ts';

interface RevokeTokensProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Access tokens outlive sessions and passwords unless their member ends them. Hidden when there are none. */
export function RevokeTokens({ checked, onChange }: RevokeTokensProps) {
  const { data: tokens = [] } = useQuery(tokensQuery);
  if (tokens.length === 0) return null;
  return (
    <label className="flex items-start gap-2 text-[0.8667rem]">
      <input
        type="checkbox"
        className="mt-0.5"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        Also remove my access tokens ({tokens.map(({ name }) => name).join(', ')}). Without it, scripts that
        use them go on.
      </span>
    </label>
  );
}
