import { Controller, Header, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { createPosternServerClient, getSignUp, nestGuard } from '@postern/sdk-node';

const postern = createPosternServerClient();

@Controller('sign-up')
export class SignUpController {
  @Post()
  @HttpCode(200)
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @UseGuards(nestGuard(postern))
  create(@Req() request: object): string {
    return `Welcome, ${getSignUp(request).email}!`;
  }
}
