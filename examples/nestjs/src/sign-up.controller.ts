import { createPosternServerClient, getSignUp, nestGuard } from 'postern~sdk-node';
import { Controller, Post, Req, UseGuards } from '@nestjs/common';

// POSTERN_URL, POSTERN_PROJECT_ID and POSTERN_SERVER_KEY come from the environment.
const postern = createPosternServerClient();

@Controller('sign-up')
export class SignUpController {
  @Post()
  @UseGuards(nestGuard(postern))
  create(@Req() request: object) {
    return { welcome: getSignUp(request).email };
  }
}
