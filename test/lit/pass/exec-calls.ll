; Before each function of the exec family the runtime may write. It gets the file,
; as a path (1), a name (2) or a descriptor (3), and the environment (4) where there
; are any, be it called, invoked or called in a tail; not before a
; function of the program's own that has such a name, nor in functions that are
; not counted.
; RUN: opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s
; RUN: env ARCLINE_PASS_OPTIONS="calls=mcount:blocks=off" opt -load-pass-plugin=%plugin -passes=arcline-count,arcline-place,verify -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

declare i32 @execve(ptr, ptr, ptr)
declare i32 @execl(ptr, ptr, ...)
declare i32 @execle(ptr, ptr, ...)
declare i32 @execvp(ptr, ptr)
declare i32 @execvpe(ptr, ptr, ptr)
declare i32 @fexecve(i32, ptr, ptr)
declare i32 @daemon(i32, i32)
declare i32 @__gxx_personality_v0(...)

define dso_local i32 @with_path(ptr %path, ptr %arguments, ptr %variables) {
; CHECK-LABEL: define dso_local i32 @with_path(
; CHECK:       call {{.*}}void @__arcline_before_exec(i32 5, ptr %path, ptr %variables)
; CHECK:       call i32 @execve(ptr %path,
; CHECK:       call {{.*}}void @__arcline_before_exec(i32 5, ptr %path, ptr %variables)
; CHECK:       call i32 (ptr, ptr, ...) @execle(ptr %path,
; CHECK:       call {{.*}}void @__arcline_before_exec(i32 1, ptr %path, ptr null)
; CHECK:       call i32 (ptr, ptr, ...) @execl(ptr %path,
  %one = call i32 @execve(ptr %path, ptr %arguments, ptr %variables)
  %two = call i32 (ptr, ptr, ...) @execle(ptr %path, ptr %path, ptr null, ptr %variables)
  %three = call i32 (ptr, ptr, ...) @execl(ptr %path, ptr %path, ptr null)
  ret i32 %three
}

define dso_local i32 @searched_for(ptr %path, ptr %arguments) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define dso_local i32 @searched_for(
; CHECK:       call {{.*}}void @__arcline_before_exec(i32 2, ptr %path, ptr null)
; CHECK:       invoke i32 @execvp(
  %one = invoke i32 @execvp(ptr %path, ptr %arguments)
          to label %rest unwind label %pad
; CHECK:       call {{.*}}void @__arcline_before_exec(i32 6, ptr %path, ptr %arguments)
; CHECK:       call i32 @execvpe(
rest:
  %two = call i32 @execvpe(ptr %path, ptr %arguments, ptr %arguments)
  ret i32 %two
pad:
  %value = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %value
}

define dso_local i32 @open_already(i32 %file, ptr %arguments, ptr %variables) {
; CHECK-LABEL: define dso_local i32 @open_already(
; CHECK:       %[[FILE:.*]] = inttoptr i32 %file to ptr
; CHECK:       call {{.*}}void @__arcline_before_exec(i32 7, ptr %[[FILE]], ptr %variables)
; CHECK:       musttail call i32 @fexecve(
; CHECK-NEXT:  ret
  %one = musttail call i32 @fexecve(i32 %file, ptr %arguments, ptr %variables)
  ret i32 %one
}

define dso_local i32 @execv(ptr %path, ptr %arguments) {
  ret i32 0
}

define dso_local i32 @its_own(ptr %path, ptr %arguments) {
; CHECK-LABEL: define dso_local i32 @its_own(
; CHECK-NOT:   __arcline_before_exec(
; CHECK:       ret i32
  %one = call i32 @execv(ptr %path, ptr %arguments)
  ret i32 %one
}

define dso_local i32 @not_counted(ptr %path, ptr %arguments) noprofile {
; CHECK-LABEL: define dso_local i32 @not_counted(
; CHECK-NOT:   __arcline_before_exec(
; CHECK:       ret i32
  %one = call i32 @execvp(ptr %path, ptr %arguments)
  ret i32 %one
}

define dso_local i32 @goes_on_in_a_child() {
; CHECK-LABEL: define dso_local i32 @goes_on_in_a_child(
; CHECK:       call {{.*}}void @__arcline_before_exec(i32 0, ptr null, ptr null)
; CHECK:       call i32 @daemon(
  %one = call i32 @daemon(i32 1, i32 1)
  ret i32 %one
}
