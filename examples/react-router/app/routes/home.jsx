import { Link } from 'react-router';

export default function Home() {
  return <Link to="/sign-up">Sign up</Link>;
}
