import { createRoot } from 'react-dom/client';
import { SignUp } from './sign-up.jsx';

createRoot(document.getElementById('root')).render(<SignUp />);
